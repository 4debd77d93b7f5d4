import * as vscode from 'vscode';
import { numberText } from '../../../base/language';
import { DisposableStore } from '../../../base/lifecycle';
import type { Disposable } from '../../../base/lifecycle';
import type { FileContent } from '../../../review/model';
import type { Review } from '../../../review/review';
import type { CurrentText } from './diffEditor';
import { DocumentFileSystem, encodeDocument } from './documentFileSystem';
import { BASELINE_SCHEME, baselineUri, goneUri, noteUri, reviewDocument } from './reviewUris';
import type { ReviewDocument } from './reviewUris';

/**
 * Serves the texts that files are compared with. When their tabs come back after a reload of the window,
 * `onFileSystem:` activates the extension, and reading waits until the review is loaded.
 */
export class BaselineDocuments extends DocumentFileSystem implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly encoded = new WeakMap<FileContent, Uint8Array>();
  /** When each text last changed: VS Code reads again only what is newer than what it has. */
  private readonly times = new Map<string, number>();
  /** Addresses handed out for files whose address is not made of their path alone. */
  private readonly renamed = new Map<string, vscode.Uri>();
  private readonly started = Date.now();
  private lastTime = this.started;

  constructor(
    private readonly review: Review,
    private readonly ready: () => Promise<void>,
    private readonly currentText: CurrentText,
    readonly scheme = BASELINE_SCHEME,
  ) {
    super();
    this.disposables.add(this.changes);
    this.disposables.add(
      vscode.workspace.registerFileSystemProvider(scheme, this, {
        isReadonly: new vscode.MarkdownString(
          vscode.l10n.t('This is the last version you accepted. Edit the other side.'),
        ),
        isCaseSensitive: true,
      }),
    );
    this.disposables.add(review.onDidChange(paths => this.changed(paths)));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    const mtime = this.times.get(this.document(uri).path) ?? this.started;
    return { type: vscode.FileType.File, ctime: this.started, mtime, size: length };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { path, side } = this.document(uri);
    if (side === 'gone') return new Uint8Array();
    await this.ready();
    const file = this.review.get(path);
    if (side !== 'baseline')
      return encodeDocument(file ? note(side === 'was' ? file.baseline : file.current) : '');
    const baseline = file?.baseline;
    // What is decided is as agreed: the same on both sides.
    if (!baseline) return encodeDocument((await this.currentText(path)) ?? '');
    if (baseline.kind !== 'text') return new Uint8Array();
    let bytes = this.encoded.get(baseline);
    if (!bytes) {
      bytes = encodeDocument(baseline.text);
      this.encoded.set(baseline, bytes);
    }
    return bytes;
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private document(uri: vscode.Uri): ReviewDocument {
    const document = reviewDocument(uri, this.scheme);
    if (!document) throw vscode.FileSystemError.FileNotFound(uri);
    return document;
  }

  private changed(paths: readonly string[]): void {
    this.lastTime = Math.max(Date.now(), this.lastTime + 1);
    const uris = paths.flatMap(path => {
      this.times.set(path, this.lastTime);
      const file = this.review.get(path);
      const plain = baselineUri({ path }, this.scheme);
      const before = this.renamed.get(path);
      if (file?.renamedFrom !== undefined) {
        this.renamed.set(path, baselineUri(file, this.scheme));
      }
      const now = this.renamed.get(path);
      return [
        plain,
        goneUri(path, this.scheme),
        noteUri(path, 'was', this.scheme),
        noteUri(path, 'is', this.scheme),
        ...(before ? [before] : []),
        ...(now ? [now] : []),
      ];
    });
    this.changes.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }
}

/** Says the same of the same bytes only, so that a diff shows when they are others. */
function note(content: FileContent): string {
  if (content.kind !== 'binary') return '';
  const size = vscode.l10n.t('{0} bytes', numberText(content.bytes));
  return [
    vscode.l10n.t('Not shown: this is not text, or it is too long to compare.'),
    `${size}, SHA-256 ${content.hash.slice(0, 16)}…`,
    '',
  ].join('\n');
}
