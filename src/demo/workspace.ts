/** A look at the working directory, as an agent with tools of its own would take it. */
import * as fs from 'node:fs';
import * as path from 'node:path';

const SKIPPED = new Set([
  'node_modules',
  'dist',
  'out',
  'build',
  'target',
  'vendor',
  '__pycache__',
]);
const TEXT =
  /\.(?:md|txt|[cm]?[jt]sx?|json|py|rb|go|rs|java|cs|c|h|cpp|html|css|ya?ml|toml|sh|sql)$/i;
const MAX_FILES = 400;
const MAX_BYTES = 256 * 1024;

/** Text files below `cwd`, nearest first; bounded, without dependencies, outputs and hidden folders. */
export function textFiles(cwd: string): string[] {
  const found: string[] = [];
  const folders = [cwd];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of entries(folder)) {
      if (entry.name.startsWith('.') || SKIPPED.has(entry.name)) continue;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(full);
      else if (entry.isFile() && TEXT.test(entry.name)) found.push(full);
      if (found.length >= MAX_FILES) return found;
    }
  }
  return found;
}

/** The file to show things with when the user named none. */
export function favouriteFile(cwd: string): string | undefined {
  const files = textFiles(cwd);
  const favourites = ['demo.md', 'src/greeting.js', 'README.md'].map(name => path.join(cwd, name));
  return favourites.find(file => files.includes(file)) ?? files[0];
}

export interface Match {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export function search(cwd: string, term: string, limit: number): Match[] {
  const matches: Match[] = [];
  const wanted = term.toLowerCase();
  for (const file of textFiles(cwd)) {
    for (const [index, text] of readLines(file).entries()) {
      if (!text.toLowerCase().includes(wanted)) continue;
      matches.push({ file, line: index + 1, text: text.trim().slice(0, 160) });
      if (matches.length >= limit) return matches;
    }
  }
  return matches;
}

/** The command of the project's own tests, if it has some. */
export function testCommand(cwd: string): string | undefined {
  try {
    const manifest = JSON.parse(fs.readFileSync(path.join(cwd, 'package.json'), 'utf8')) as {
      scripts?: Record<string, unknown>;
    };
    return typeof manifest.scripts?.['test'] === 'string' ? 'npm test' : undefined;
  } catch {
    return undefined;
  }
}

function entries(folder: string): fs.Dirent[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .sort((a, b) => a.name.localeCompare(b.name));
  } catch {
    return [];
  }
}

function readLines(file: string): string[] {
  try {
    return fs.statSync(file).size > MAX_BYTES ? [] : fs.readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}
