import * as path from 'node:path';
import * as vscode from 'vscode';
import { replayOf, type Replay } from '../../agents/backends/recording/replay';
import type { Speed } from '../../agents/backends/recording/playback';
import { parseRecording } from '../../agents/traffic/recording';
import { sizeText } from '../../base/bytes';
import type { Chat, Chats } from '../../session/chats';

/** Larger files are no recordings of ours. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface ReplayParts {
  readonly chats: Chats;
  /** Makes the agent known that plays it. */
  add(replay: Replay): void;
  /** Whether an agent has that name. */
  readonly isTaken: (name: string) => boolean;
}

/**
 * Plays a recording in a chat of its own; undefined when the user does not want to after all.
 * @param file a `Uri`, which; the user is asked without one
 * @param speed a `Speed`; likewise
 */
export async function replayTraffic(
  parts: ReplayParts,
  file?: unknown,
  speed?: unknown,
): Promise<Chat | undefined> {
  const source = file instanceof vscode.Uri ? file : await askFile();
  if (!source) return undefined;
  const { size } = await vscode.workspace.fs.stat(source);
  if (size > MAX_BYTES) {
    throw new Error(
      vscode.l10n.t(
        'The file is {0}; at most {1} can be played.',
        sizeText(size),
        sizeText(MAX_BYTES),
      ),
    );
  }
  const recording = parseRecording(
    Buffer.from(await vscode.workspace.fs.readFile(source)).toString('utf8'),
  );
  const chosen = speed === 'full' || speed === 'original' ? speed : await askSpeed();
  if (!chosen) return undefined;
  const name = freeName(recording.head.agent || path.posix.basename(source.path), parts.isTaken);
  const replay = replayOf(recording, name, chosen);
  parts.add(replay);
  return replay.open(parts.chats);
}

async function askFile(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Replay Protocol Traffic'),
    openLabel: vscode.l10n.t('Replay'),
    filters: { NDJSON: ['ndjson', 'jsonl'] },
  });
  return files?.[0];
}

async function askSpeed(): Promise<Speed | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly speed: Speed })[] = [
    { label: vscode.l10n.t('Full speed'), speed: 'full' },
    {
      label: vscode.l10n.t('Original speed'),
      detail: vscode.l10n.t('The agent takes as long as it did. Your own pauses are shortened.'),
      speed: 'original',
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Replay Protocol Traffic'),
    placeHolder: vscode.l10n.t('No agent is started, and nothing is read, written or run.'),
  });
  return picked?.speed;
}

function freeName(recorded: string, isTaken: (name: string) => boolean): string {
  const name = vscode.l10n.t('Replay of {0}', recorded.slice(0, 100));
  let free = name;
  for (let count = 2; isTaken(free); count += 1) free = `${name} (${count})`;
  return free;
}
