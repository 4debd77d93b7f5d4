/** What the demo agent does to the sample workspace: each kind of change, and each way to make it. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../workbench/eventually';
import { ChangesBar } from './changesBar';
import type { ParleyPanel } from './parleyPanel';
import { readWorkspaceFile, workspace } from './suite';

export const EDITED = 'README.md';
export const CREATED = 'made.js';
export const DELETED = 'docs/notes.md';
export const RENAMED = 'src/greeting.js';
export const RENAMED_TO = 'src/hello.js';

/** The first prompt, which writes through the editor. */
export const EDIT = `/edit ${EDITED}`;
export const COMMAND = `/run rm ${DELETED} && mv ${RENAMED} ${RENAMED_TO} && sed -i 1d ${RENAMED_TO}`;

/** The sample workspace as it is before. */
export const before = (name: string): string =>
  readFileSync(`test/workbench/sample-workspace/${name}`, 'utf8');

/** Four files: one changed and one created with requests, one deleted and one renamed with a command. */
export async function workOnAll(panel: ParleyPanel): Promise<ChangesBar> {
  for (const prompt of [EDIT, `/new ${CREATED}`, COMMAND]) await allowed(panel, prompt);
  const bar = new ChangesBar(panel);
  await bar.files(4);
  return bar;
}

/** Asks, allows what the agent asks, and waits until it is done. */
export async function allowed(panel: ParleyPanel, prompt: string): Promise<void> {
  await panel.ask(prompt);
  await panel.answer('Allow');
  await panel.waitUntilIdle();
}

/** Resolves when every file is what it was before the agent. */
export async function untouched(): Promise<void> {
  for (const name of [EDITED, DELETED, RENAMED]) {
    // Files are written one after the other.
    const text = async () => ((await isThere(name)) ? readWorkspaceFile(name) : undefined);
    await eventually(`${name} is as before`, async () => (await text()) === before(name)).catch(
      async () => assert.equal(await text(), before(name), name),
    );
  }
  for (const name of [CREATED, RENAMED_TO]) {
    await eventually(`${name} is gone`, async () => !(await isThere(name)));
  }
}

export async function isThere(name: string): Promise<boolean> {
  return existsSync(path.join(await workspace(), name));
}
