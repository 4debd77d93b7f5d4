// An interactive program that is no agent: prints a prompt and waits.
console.log('Fixture shell 1.0');
console.log('Type "help" for help.');
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
