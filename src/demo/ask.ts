/** What the user asked for: the words, the slash command in them, and what is attached. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as schema from '../acp/schema/schema';

export interface Attached {
  readonly kind: 'link' | 'text' | 'image' | 'other';
  /** As the user knows it: a path within the working directory, or a name. */
  readonly label: string;
  /** Absolute path, when it is a file. */
  readonly file?: string;
  readonly text?: string;
  readonly mimeType?: string;
  /** In bytes, when known. */
  readonly size?: number;
}

export interface Ask {
  /** Without the leading slash; absent when the user wrote plain words. */
  readonly command?: string;
  /** The words; after a command, what follows it. */
  readonly text: string;
  readonly attached: readonly Attached[];
  /** What the client says itself: that the user has changed an edit before allowing it, say. */
  readonly note?: string;
}

/** How clients begin what does not come from the user. */
const NOTE = /^Note from the editor:\s*/;

export function readAsk(prompt: readonly schema.ContentBlock[], cwd: string): Ask {
  const words: string[] = [];
  const attached: Attached[] = [];
  const notes: string[] = [];
  for (const block of prompt) {
    if (block.type !== 'text') attached.push(readAttached(block, cwd));
    else if (NOTE.test(block.text)) notes.push(block.text.replace(NOTE, ''));
    else words.push(block.text);
  }
  const text = words.join('\n\n').trim();
  const note = notes.length > 0 ? { note: notes.join('\n\n') } : {};
  const command = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(text);
  if (!command?.[1]) return { text, attached, ...note };
  return {
    command: command[1].toLowerCase(),
    text: (command[2] ?? '').trim(),
    attached,
    ...note,
  };
}

function readAttached(
  block: Exclude<schema.ContentBlock, { type: 'text' }>,
  cwd: string,
): Attached {
  switch (block.type) {
    case 'resource_link': {
      const file = asFile(block.uri);
      return {
        kind: 'link',
        label: file === undefined ? block.name : label(file, cwd),
        ...(file === undefined ? {} : { file }),
      };
    }
    case 'resource': {
      const { resource } = block;
      const file = asFile(resource.uri);
      const name = file === undefined ? resource.uri : label(file, cwd) + fragment(resource.uri);
      const where = file === undefined ? {} : { file };
      return 'text' in resource
        ? { kind: 'text', label: name, text: resource.text, ...where }
        : { kind: 'other', label: name, size: decodedSize(resource.blob), ...where };
    }
    case 'image':
      return {
        kind: 'image',
        label: 'an image',
        mimeType: block.mimeType,
        size: decodedSize(block.data),
      };
    case 'audio':
      return { kind: 'other', label: 'a sound', mimeType: block.mimeType };
  }
}

/**
 * The file that is meant: one named in the words, else the first attached one.
 * @param strict whether a name must exist already (plain words hold many things that look like names).
 */
export function namedFile(ask: Ask, cwd: string, strict: boolean): string | undefined {
  for (const word of ask.text.match(/[^\s"'`,;()]+/g) ?? []) {
    const name = word.replace(/^@/, '').replace(/[.:!?]+$/, '');
    if (!/^[^*<>|]*[\w-]\.\w+$|[\\/]\w/.test(name)) continue;
    const file = path.resolve(cwd, name);
    if (!strict || fs.existsSync(file)) return file;
  }
  return ask.attached.find(item => item.file !== undefined)?.file;
}

/** `file` as people write it: relative and with forward slashes when it is inside `cwd`. */
export function label(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  const inside = relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  return inside ? relative.split(path.sep).join('/') : file;
}

function asFile(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}

/** The lines a resource stands for, when its address says so. */
function fragment(uri: string): string {
  const lines = /#L?(\d+)(?:[-:]L?(\d+))?/.exec(uri);
  if (!lines?.[1]) return '';
  return lines[2] ? `:${lines[1]}-${lines[2]}` : `:${lines[1]}`;
}

function decodedSize(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}
