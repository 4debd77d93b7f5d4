import * as vscode from 'vscode';
import { timelineOf, type TimelineRow } from '../../agents/traffic/timeline';
import { Emitter } from '../../base/event';
import type { Disposable } from '../../base/lifecycle';
import type { Chat } from '../../session/chats';
import {
  parseTrafficIntent,
  type TrafficIntent,
  type TrafficState,
} from '../../shared/trafficPage';
import { PagePanel } from '../pages/pagePanel';
import { chatRecording, type TrafficParts } from './chatRecording';

/** Rows that are shown at once. */
const MAX_ROWS = 1_000;

export interface TrafficPageParts extends TrafficParts {
  readonly extensionUri: vscode.Uri;
  export(chat: Chat): Promise<void>;
}

/** "Protocol Traffic": one tab, with the messages of the chat that it was last asked for. */
export class TrafficPage implements Disposable {
  private readonly changed = new Emitter<void>();
  private page: PagePanel<TrafficIntent> | undefined;
  private chat: Chat | undefined;
  private state: TrafficState | undefined;

  constructor(private readonly parts: TrafficPageParts) {}

  open(chat: Chat): void {
    this.chat = chat;
    this.read();
    if (this.page) {
      this.page.reveal();
      return;
    }
    this.page = new PagePanel<TrafficIntent>({
      extensionUri: this.parts.extensionUri,
      viewType: 'parley.traffic',
      title: vscode.l10n.t('Protocol Traffic'),
      element: 'parley-traffic',
      state: () => this.state,
      onDidChange: this.changed.event,
      parse: parseTrafficIntent,
      handle: ({ type }) => {
        if (type === 'export' && this.chat) void this.parts.export(this.chat);
        else if (type === 'refresh') this.read();
      },
    });
    this.page.onDidDispose(() => (this.page = undefined));
  }

  dispose(): void {
    this.page?.dispose();
    this.changed.dispose();
  }

  private read(): void {
    if (!this.chat) return;
    const recording = chatRecording(this.parts, this.chat);
    this.state = stateOf(
      this.chat.store.state.agent.name,
      timelineOf(recording?.messages ?? []),
      recording?.head.leftOut ?? 0,
    );
    this.changed.fire();
  }
}

function stateOf(agent: string, rows: readonly TimelineRow[], lost: number): TrafficState {
  const sum = (from: TimelineRow['from']) => {
    const own = rows.filter(row => row.from === from);
    return { messages: own.length, bytes: own.reduce((total, { bytes }) => total + bytes, 0) };
  };
  return {
    agent,
    rows: rows.slice(-MAX_ROWS),
    leftOut: lost + Math.max(0, rows.length - MAX_ROWS),
    sent: sum('client'),
    received: sum('agent'),
  };
}
