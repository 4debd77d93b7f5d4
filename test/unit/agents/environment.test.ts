import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeEnv, withoutEditorVariables } from '../../../src/agents/process/environmentVariables';

test('on Windows a change replaces a variable of any case', () => {
  const base = { Path: 'a', HOME: 'h' };
  assert.deepEqual(mergeEnv(base, { PATH: 'b' }, 'win32'), { HOME: 'h', PATH: 'b' });
  assert.deepEqual(mergeEnv(base, { PATH: 'b' }, 'linux'), { Path: 'a', HOME: 'h', PATH: 'b' });
});

test("the editor's own variables stay with the editor", () => {
  const env = withoutEditorVariables({
    PATH: '/bin',
    ELECTRON_RUN_AS_NODE: '1',
    VSCODE_PID: '1',
    VSCODE_IPC_HOOK: '/tmp/x',
    VSCODE_GIT_ASKPASS_MAIN: 'kept',
    MISSING: undefined,
  });
  assert.deepEqual(env, { PATH: '/bin', VSCODE_GIT_ASKPASS_MAIN: 'kept' });
});
