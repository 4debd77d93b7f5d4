// Sends back what it gets, like `cat`.
process.stdin.pipe(process.stdout);
