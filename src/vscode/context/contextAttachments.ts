import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type * as schema from '../../acp/schema/schema';
import { sizeText } from '../../base/bytes';
import { FileError } from '../../session/ports';
import { imageFile, mediaBlock } from './mediaFiles';
import type { AttachmentSource } from '../../session/ports';
import type {
  AgentCapabilities,
  Attachment,
  Picture,
  SessionState,
} from '../../session/state/state';
import { countOf, problemsOf, problemsText } from './problemsContext';

type Lines = NonNullable<Attachment['lines']>;

/** Reads text for sending; undefined when there is none. */
export type ReadText = (file: string) => Promise<string | undefined>;

/** Largest file sent whole, in bytes; a larger one is sent as a link that the agent can read itself. */
const MAX_EMBEDDED_BYTES = 256 * 1024;
/** What stays on the host for attachments, in UTF-16 units; the oldest goes first. */
const MAX_KEPT = 64 * 1024 * 1024;

/**
 * What the user attaches to a message. A selection is sent as it was when attached; a file as it is when
 * the message is sent.
 */
export class ContextAttachments implements AttachmentSource {
  /** Selected text, conversations and image data by attachment id. */
  private readonly kept = new Map<string, string>();
  private size = 0;
  /** Texts on their way. */
  private readonly coming = new Map<string, Promise<void>>();

  /**
   * @param chatOf what was said in another chat of the window
   * @param mask takes secrets out of what was said
   */
  constructor(
    private readonly readText: ReadText,
    private readonly newId: () => string,
    private readonly chatOf: (chatId: string) => SessionState | undefined,
    private readonly mask: (text: string) => string,
  ) {}

  /** The selection, or the line of the caret. */
  ofSelection(editor: vscode.TextEditor): Attachment {
    return this.ofLines(editor.document, selectedLines(editor));
  }

  ofLines(document: vscode.TextDocument, lines: Lines): Attachment {
    const range = new vscode.Range(lines.start - 1, 0, lines.end - 1, Number.MAX_SAFE_INTEGER);
    const id = this.newId();
    this.keep(id, document.getText(document.validateRange(range)));
    const name = vscode.workspace.asRelativePath(document.uri, false);
    const title =
      lines.start === lines.end
        ? vscode.l10n.t('{0}, line {1}', name, lines.start)
        : vscode.l10n.t('{0}, lines {1} to {2}', name, lines.start, lines.end);
    return {
      id,
      kind: 'selection',
      label: withLines(path.posix.basename(document.uri.path), lines),
      title,
      uri: document.uri.toString(),
      lines,
      ref: id,
    };
  }

  ofFile(uri: vscode.Uri): Attachment {
    const title = vscode.workspace.asRelativePath(uri, false);
    const label = path.posix.basename(uri.path);
    return { id: this.newId(), kind: 'file', label, title, uri: uri.toString() };
  }

  ofFolder(uri: vscode.Uri): Attachment {
    return { ...this.ofFile(uri), kind: 'folder' };
  }

  /** A file or a folder, whichever is there. */
  async ofPath(uri: vscode.Uri): Promise<Attachment> {
    const info = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
    const isFolder = info !== undefined && (info.type & vscode.FileType.Directory) !== 0;
    return isFolder ? this.ofFolder(uri) : this.ofFile(uri);
  }

  /** What is read when the message is sent. */
  of(attachment: Omit<Attachment, 'id'>): Attachment {
    return { id: this.newId(), ...attachment };
  }

  /** What is read now, by something that takes its time. */
  ofLater(attachment: Omit<Attachment, 'id'>, content: Promise<string>): Attachment {
    const id = this.newId();
    const keep = content.then(
      text => this.keep(id, text),
      () => undefined,
    );
    this.coming.set(
      id,
      keep.finally(() => this.coming.delete(id)),
    );
    return { id, ref: id, ...attachment };
  }

  /** What was said in `chat`, as it is now. */
  async ofConversation(chat: SessionState, title: string): Promise<Attachment> {
    const { conversationText } = await import('./conversationText');
    const id = this.newId();
    this.keep(id, conversationText(chat, this.mask));
    return { id, kind: 'chat', label: title, title, ref: id };
  }

  /** The problems of a file, or of the workspace, as they are now; undefined when there are none. */
  ofProblems(uri?: vscode.Uri): Attachment | undefined {
    const problems = problemsOf(uri);
    if (problems.length === 0) return undefined;
    const id = this.newId();
    this.keep(id, problemsText(problems));
    const label = vscode.l10n.t('Problems ({0})', countOf(problems));
    const title = uri
      ? vscode.l10n.t('Problems in {0}', vscode.workspace.asRelativePath(uri, false))
      : vscode.l10n.t('Problems in the workspace');
    return { id, kind: 'problems', label, title, ref: id, ...(uri && { uri: uri.toString() }) };
  }

  /**
   * @param data base64
   * @param forTurn the turn whose prompt is being changed, if it goes with that
   */
  ofImage(
    name: string,
    mimeType: string,
    data: string,
    picture: Picture,
    forTurn?: string,
  ): Attachment {
    const id = this.newId();
    this.keep(id, data);
    const { width, height } = picture;
    const size = sizeText(Math.floor((data.length * 3) / 4));
    const title = vscode.l10n.t('{0}, {1} × {2}, {3}', name, width, height, size);
    const image = { id, kind: 'image' as const, label: name, title, mimeType, picture, ref: id };
    return { ...image, ...(forTurn !== undefined && { forTurn }) };
  }

  /** Base64; undefined when it is no image, or not kept any more. */
  imageData({ kind, ref }: Attachment): string | undefined {
    return kind === 'image' ? this.kept.get(ref ?? '') : undefined;
  }

  /** Base64 of an image file that is attached; undefined when it is none, or too large. */
  async imageFileData({ kind, uri }: Attachment): Promise<string | undefined> {
    const file = kind === 'file' && uri !== undefined ? vscode.Uri.parse(uri) : undefined;
    return file?.scheme === 'file' ? imageFile(file.fsPath) : undefined;
  }

  async resolve(
    attachment: Attachment,
    chat: SessionState,
  ): Promise<readonly schema.ContentBlock[]> {
    const { capabilities } = chat.agent;
    switch (attachment.kind) {
      case 'image':
        return [this.image(attachment)];
      case 'selection':
      case 'symbol':
        return [await this.selection(attachment, capabilities)];
      case 'file':
      case 'folder':
        return [await this.file(attachment, capabilities)];
      case 'problems':
        return [this.problems(attachment)];
      case 'link':
        return [this.link(attachment)];
      case 'terminal':
        return [await this.terminal(attachment)];
      case 'changes':
      case 'commit': {
        const { gitText } = await import('./gitText');
        return [described(attachment, await gitText(attachment))];
      }
      case 'chat': {
        const { conversationText } = await import('./conversationText');
        const other = this.chatOf(attachment.ref ?? '');
        const text =
          this.kept.get(attachment.ref ?? '') ?? (other && conversationText(other, this.mask));
        return [described(attachment, text)];
      }
      case 'conversation': {
        const { conversationText } = await import('./conversationText');
        // What was said before the turn that runs.
        const { activeTurn: _, ...before } = chat;
        return [described(attachment, conversationText(before, this.mask))];
      }
    }
  }

  /** Shows what was attached. */
  async open(attachment: Attachment): Promise<void> {
    if (attachment.kind === 'problems') {
      await vscode.commands.executeCommand('workbench.actions.view.problems');
      return;
    }
    if (attachment.kind === 'changes') {
      await vscode.commands.executeCommand('workbench.view.scm');
      return;
    }
    if (attachment.uri === undefined || attachment.kind === 'commit') return;
    const uri = vscode.Uri.parse(attachment.uri);
    if (attachment.kind === 'folder') {
      await vscode.commands.executeCommand('revealInExplorer', uri);
      return;
    }
    if (attachment.kind === 'link') {
      await vscode.env.openExternal(uri);
      return;
    }
    const { lines } = attachment;
    await vscode.commands.executeCommand('vscode.open', uri, {
      preview: true,
      ...(lines && { selection: new vscode.Range(lines.start - 1, 0, lines.end, 0) }),
    });
  }

  private problems({ ref, uri, title }: Attachment): schema.ContentBlock {
    const text =
      this.kept.get(ref ?? '') ??
      problemsText(problemsOf(uri === undefined ? undefined : vscode.Uri.parse(uri)));
    return { type: 'text', text: `${title}:\n${text === '' ? '(none)' : text}` };
  }

  private link({ uri, label, title }: Attachment): schema.ContentBlock {
    return { type: 'resource_link', uri: uri ?? title, name: label };
  }

  private async terminal(attachment: Attachment): Promise<schema.ContentBlock> {
    await this.coming.get(attachment.id);
    const text = this.kept.get(attachment.ref ?? '');
    return described(attachment, text?.trim() === '' ? undefined : text);
  }

  private image(attachment: Attachment): schema.ContentBlock {
    const data = this.imageData(attachment);
    if (data === undefined) throw gone(attachment);
    return { type: 'image', data, mimeType: attachment.mimeType ?? 'image/png' };
  }

  private async selection(
    attachment: Attachment,
    capabilities: AgentCapabilities,
  ): Promise<schema.ContentBlock> {
    const { uri, lines } = attachment;
    if (uri === undefined || lines === undefined) throw gone(attachment);
    const text = this.kept.get(attachment.ref ?? '') ?? (await this.linesOf(uri, lines));
    if (text === undefined) throw gone(attachment);
    if (capabilities.embeddedContext) {
      return { type: 'resource', resource: { uri: `${uri}#L${lines.start}:${lines.end}`, text } };
    }
    return described(attachment, text);
  }

  private async file(
    attachment: Attachment,
    capabilities: AgentCapabilities,
  ): Promise<schema.ContentBlock> {
    if (attachment.uri === undefined) throw gone(attachment);
    const uri = vscode.Uri.parse(attachment.uri);
    if (uri.scheme !== 'file') {
      // Not on disk: a link would lead nowhere.
      const document = vscode.workspace.textDocuments.find(
        other => other.uri.toString() === uri.toString(),
      );
      if (!document) throw gone(attachment);
      return described(attachment, document.getText());
    }
    const info = await stat(uri.fsPath).catch(() => undefined);
    if (!info) throw gone(attachment);
    const file = { path: uri.fsPath, uri: attachment.uri, size: info.size };
    const media = info.isFile() ? await mediaBlock(file, capabilities) : undefined;
    if (media) return media;
    const small = info.isFile() && info.size <= MAX_EMBEDDED_BYTES;
    const text =
      small && capabilities.embeddedContext ? await this.readText(uri.fsPath) : undefined;
    return text === undefined
      ? { type: 'resource_link', uri: attachment.uri, name: attachment.label }
      : { type: 'resource', resource: { uri: attachment.uri, text } };
  }

  private async linesOf(
    uri: string,
    lines: { readonly start: number; readonly end: number },
  ): Promise<string | undefined> {
    const text = await this.readText(vscode.Uri.parse(uri).fsPath);
    return text
      ?.split('\n')
      .slice(lines.start - 1, lines.end)
      .join('\n');
  }

  private keep(id: string, content: string): void {
    this.kept.set(id, content);
    this.size += content.length;
    for (const [oldest, other] of this.kept) {
      if (this.size <= MAX_KEPT || oldest === id) break;
      this.kept.delete(oldest);
      this.size -= other.length;
    }
  }
}

/** `retry.ts:18-42`, `retry.ts:18`. */
export function labelOf(editor: vscode.TextEditor): string {
  return withLines(path.posix.basename(editor.document.uri.path), selectedLines(editor));
}

export function withLines(name: string, { start, end }: Lines): string {
  return start === end ? `${name}:${start}` : `${name}:${start}-${end}`;
}

/** 1-based, inclusive. A selection that ends before a line's first character does not contain that line. */
function selectedLines({ selection }: Pick<vscode.TextEditor, 'selection'>): Lines {
  const start = selection.start.line + 1;
  const touchesLast = selection.end.character > 0 || selection.isEmpty;
  return { start, end: Math.max(start, selection.end.line + (touchesLast ? 1 : 0)) };
}

/** A text with what it is as its heading. */
function described(attachment: Attachment, text: string | undefined): schema.ContentBlock {
  if (text === undefined) throw gone(attachment);
  return { type: 'text', text: `${attachment.title}:\n${fenced(text)}` };
}

function gone(attachment: Attachment): FileError {
  return new FileError(
    'notFound',
    vscode.l10n.t(
      'An attachment is no longer available: {0}. Remove it, or attach it again.',
      attachment.label,
    ),
  );
}

function fenced(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map(run => run.length + 1)));
  return `${fence}\n${text}\n${fence}`;
}
