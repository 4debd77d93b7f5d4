// Ends at once with code 3 and says nothing.
process.exit(3);
