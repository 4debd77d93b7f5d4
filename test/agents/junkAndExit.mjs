// A command that is no agent: prints something and succeeds.
console.log('usage: fixture [options]');
console.log('  --acp   speak the Agent Client Protocol');
