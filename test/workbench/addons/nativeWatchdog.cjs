// Stands in for the native add-on @vscode/native-watchdog, which would need a compiler: it ends VS Code's
// child processes when their parent has gone.
exports.start = parentPid => {
  const timer = setInterval(() => {
    try {
      process.kill(parentPid, 0);
    } catch {
      process.exit(87);
    }
  }, 3000);
  timer.unref();
};
exports.exit = code => process.exit(code);
