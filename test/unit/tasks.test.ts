/** F5 and the tasks of `.vscode`: what they wait for and read is what the build prints. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

interface Pattern {
  readonly regexp: string;
  readonly severity?: number;
  readonly file?: number;
  readonly line?: number;
  readonly column?: number;
  readonly message?: number;
}

interface Task {
  readonly label: string;
  readonly script: string;
  readonly problemMatcher: {
    readonly pattern: readonly Pattern[];
    readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
  };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const { tasks } = read('.vscode/tasks.json') as { tasks: readonly Task[] };
const { configurations } = read('.vscode/launch.json') as {
  configurations: readonly { args?: string[]; program?: string; preLaunchTask?: string }[];
};
const { scripts } = read('package.json') as { scripts: Record<string, string> };

/** As VS Code reads a pattern of several lines: each line has to match the next part. */
function problems(lines: readonly string[], pattern: readonly Pattern[]): object[] {
  return lines.flatMap((_, start) => {
    const found: Record<string, string | undefined> = {};
    for (const [index, { regexp, ...groups }] of pattern.entries()) {
      const match = new RegExp(regexp).exec(lines[start + index] ?? '\0');
      if (!match) return [];
      for (const [name, group] of Object.entries(groups)) found[name] = match[group];
    }
    return [found];
  });
}

test('the watch task reads what the build prints: when it begins and ends, and each fault', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-tasks-'));
  try {
    writeFileSync(path.join(folder, 'broken.ts'), "import { a } from './missing';\na();\n");
    const reporter = path.resolve('scripts/lib/watchReporter.mjs');
    const program = `
      import * as esbuild from 'esbuild';
      import { watchReporter } from ${JSON.stringify(reporter)};
      const build = { absWorkingDir: ${JSON.stringify(folder)}, entryPoints: ['broken.ts'], bundle: true, write: false };
      const plugins = [watchReporter('extension')];
      await esbuild.build({ ...build, logLevel: 'silent', plugins }).catch(() => undefined);`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      `console.error = console.log;${program}`,
    ]);
    const lines = stdout.split('\n');
    const watch = tasks.find(({ label }) => label === 'watch');
    assert.ok(watch);
    const { pattern, background } = watch.problemMatcher;
    const at = (text: string) => lines.findIndex(line => new RegExp(text).test(line));
    assert.equal(at(background.beginsPattern), 0);
    assert.equal(at(background.endsPattern), lines.length - 2);
    assert.deepEqual(problems(lines, pattern), [
      {
        severity: 'ERROR',
        message: 'Could not resolve "./missing"',
        file: 'broken.ts',
        line: '1',
        column: '18',
      },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what F5 and the tasks name is there', () => {
  for (const { script } of tasks) assert.ok(script in scripts, script);
  const labels = tasks.map(({ label }) => label);
  const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
  for (const { args = [], program = '', preLaunchTask } of configurations) {
    if (preLaunchTask !== undefined) assert.ok(labels.includes(preLaunchTask), preLaunchTask);
    const named = [...args, program].flatMap(
      text => /\$\{workspaceFolder\}\/([\w./-]+)/.exec(text)?.[1] ?? [],
    );
    for (const place of named) {
      assert.ok(
        tracked.some(file => file === place || file.startsWith(`${place}/`)),
        place,
      );
    }
  }
});
