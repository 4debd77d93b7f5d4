// Complains on stderr and ends with code 2.
console.error('fatal: the API key is missing');
console.error('Set FIXTURE_API_KEY and try again.');
process.exitCode = 2;
