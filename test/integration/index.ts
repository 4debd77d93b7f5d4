/** The entry that the extension host calls: runs the test files that were bundled beside this one. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';

/** Resolves when all tests have passed, rejects when one has failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 30_000, color: false });
  for (const file of readdirSync(__dirname, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.cjs'))
    .sort()) {
    mocha.addFile(path.join(__dirname, file));
  }
  const failures: string[] = [];
  const stats = await new Promise<Mocha.Stats | undefined>(resolve => {
    const runner = mocha.run(() => resolve(runner.stats));
    runner.on('fail', (test: Mocha.Runnable, error: unknown) => {
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
      failures.push(`${test.fullTitle()}: ${reason}`);
    });
  });
  const counts = {
    passed: stats?.passes ?? 0,
    failed: stats?.failures ?? 0,
    skipped: stats?.pending ?? 0,
    failures,
  };
  const result = process.env['PARLEY_TEST_RESULT'];
  if (result) {
    mkdirSync(path.dirname(result), { recursive: true });
    writeFileSync(result, JSON.stringify(counts, undefined, 2));
  }
  if (counts.failed > 0) throw new Error(`${counts.failed} tests failed.`);
}
