import * as esbuild from 'esbuild';

/**
 * Prints the lines that an editor's background problem matcher waits for. Bundles are watched one by
 * one, so "started" and "finished" are counted over all of them.
 * @param {string} name
 * @returns {esbuild.Plugin}
 */
export function watchReporter(name) {
  return {
    name: 'watch-reporter',
    setup(build) {
      build.onStart(() => {
        if (running++ === 0) console.log('[watch] build started');
      });
      build.onEnd(async result => {
        const messages = [
          ...(await esbuild.formatMessages(result.errors, { kind: 'error' })),
          ...(await esbuild.formatMessages(result.warnings, { kind: 'warning' })),
        ];
        for (const message of messages) console.error(message);
        console.log(`[watch] ${name}: ${result.errors.length === 0 ? 'ok' : 'failed'}`);
        if (--running === 0) console.log('[watch] build finished');
      });
    },
  };
}

let running = 0;
