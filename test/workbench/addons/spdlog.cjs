// Stands in for the native add-on @vscode/spdlog, which would need a compiler: VS Code's server writes its
// logs and output channels through it. Same interface, plain appending; files of a test run never get so
// large that they would have to rotate.
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];
const LABELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = LEVELS.indexOf('info');
    this.raw = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    LEVELS.forEach((level, index) => {
      this[level] = message => this.write(index, message);
    });
  }

  write(level, message) {
    if (level < this.level) return;
    if (this.raw) return fs.appendFileSync(this.file, message);
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    fs.appendFileSync(this.file, `${time} [${LABELS[level]}] ${message}\n`);
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  setPattern() {}

  clearFormatters() {
    this.raw = true;
  }

  flush() {}

  drop() {}
}

const create = async (name, file) => new Logger('rotating', name, file);

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
