import * as path from 'node:path';
import * as vscode from 'vscode';
import type { PendingFile } from '../../review/model';
import { Emitter } from '../../base/event';
import { lazy } from '../../base/lazy';
import { DisposableStore, type Disposable } from '../../base/lifecycle';
import type { PathRisk, pathRisks } from '../../session/requests/pathRisks';
import type { PathPlace } from '../../session/requests/resolvedPath';
import type { Review } from '../../review/review';
import type { ChangedFile, PanelChanges } from '../../shared/panelState';
import type { EditorUris } from '../review/diff/editorUris';

/** The pending changes as the chat shows them: files by keys that say nothing, so that a view names no path. */
export class PanelChangeList {
  private readonly keys = new Map<string, string>();
  private readonly paths = new Map<string, string>();
  private shown: { readonly of: readonly PendingFile[]; readonly view: PanelChanges } | undefined;
  /** Loaded with the first change. */
  private risks: typeof pathRisks | undefined;
  private readonly loaded = new Emitter<void>();

  /** @param place where paths are meant from, and which files are protected */
  constructor(
    private readonly review: Review,
    private readonly uris: EditorUris,
    private readonly place: () => PathPlace,
  ) {}

  onDidChange(listener: () => void): Disposable {
    const listeners = new DisposableStore();
    listeners.add(this.review.onDidChange(() => listener()));
    listeners.add(this.loaded.event(listener));
    return listeners;
  }

  /** Undefined when nothing is pending. */
  view(): PanelChanges | undefined {
    const { pending } = this.review;
    if (pending.length === 0) return undefined;
    if (this.shown?.of !== pending) this.shown = { of: pending, view: this.viewOf(pending) };
    return this.shown.view;
  }

  /** The path a key stands for; undefined when it stands for nothing. */
  path(key: string): string | undefined {
    return this.paths.get(key);
  }

  private viewOf(pending: readonly PendingFile[]): PanelChanges {
    if (!this.risks) void this.load();
    const riskOf = this.risks?.(this.place());
    const files = pending.map(({ path: file, change, added, removed, endings, unclaimed }) => {
      const folder = path.dirname(vscode.workspace.asRelativePath(this.uris.uri(file)));
      return {
        id: this.key(file),
        label: path.basename(file),
        folder: folder === '.' ? '' : folder,
        change,
        ...(unclaimed && { unclaimed: true }),
        ...runsOf(riskOf?.(file)),
        // The lines are what they were.
        ...(endings === undefined ? { added, removed } : { added: 0, removed: 0, endings }),
      };
    });
    const agents = new Set(pending.flatMap(({ unclaimed }) => unclaimed ?? []));
    return {
      files,
      ...(agents.size > 0 && { agents: [...agents].join(', ') }),
      added: files.reduce((sum, file) => sum + file.added, 0),
      removed: files.reduce((sum, file) => sum + file.removed, 0),
    };
  }

  private readonly load = lazy(async () => {
    ({ pathRisks: this.risks } = await import('../../session/requests/pathRisks'));
    this.shown = undefined;
    this.loaded.fire();
  });

  private key(file: string): string {
    const known = this.keys.get(file);
    if (known !== undefined) return known;
    const key = `change-${this.keys.size + 1}`;
    this.keys.set(file, key);
    this.paths.set(key, file);
    return key;
  }
}

function runsOf(risk: PathRisk | undefined): Pick<ChangedFile, 'runs'> {
  return risk?.runs ? { runs: risk.runs } : {};
}
