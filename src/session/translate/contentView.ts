/** ACP content blocks as the state shows them: previews, with the whole kept in `Contents`. */
import type * as schema from '../../acp/schema/schema';
import { withoutEscapes } from '../../base/escapeSequences';
import { toJson } from '../../base/json';
import type { Contents } from './contents';
import type { ContentAnnotations, ContentView, Preview } from '../state/content';
import type { Attachment } from '../state/state';

/** Characters of text shown in a tool call or resource. */
const MAX_TEXT = 20_000;
/** Characters of JSON shown for raw output and unknown kinds. */
const MAX_JSON = 4_000;
/** Characters of JSON shown for raw input: it is what the user approves. */
const MAX_INPUT = 64_000;
/** Base64 characters of an image or a sound that travels with the state (about 1.5 MB of image). */
const MAX_INLINE_MEDIA = 2_000_000;

/** Makes previews; `ref` names what is kept whole. */
export class ContentViews {
  constructor(private readonly contents: Contents) {}

  text(text: string, ref: string, title: string): Preview {
    return this.cut(text, MAX_TEXT, ref, title);
  }

  json(value: unknown, ref: string, title: string): Preview {
    return this.cut(jsonText(value), MAX_JSON, ref, title);
  }

  /** What a tool printed, without escape sequences: as JSON they would be noise. */
  output(value: unknown, ref: string, title: string): Preview {
    const text =
      typeof value === 'string' ? withoutEscapes(value) : toJson(value, 2, withoutEscapes);
    return this.cut(text, MAX_JSON, ref, title);
  }

  input(value: unknown, ref: string, title: string): Preview {
    return this.cut(jsonText(value), MAX_INPUT, ref, title);
  }

  block(block: schema.ContentBlock, ref: string): ContentView {
    const view = this.plainBlock(block, ref);
    const annotations = annotationsOf(block);
    return annotations ? { ...view, annotations } : view;
  }

  private plainBlock(block: schema.ContentBlock, ref: string): ContentView {
    switch (block.type) {
      case 'text':
        return { kind: 'text', text: this.text(block.text, ref, 'Text') };
      case 'image':
        return {
          kind: 'image',
          mimeType: block.mimeType,
          bytes: base64Bytes(block.data),
          ...(block.data !== '' && block.data.length <= MAX_INLINE_MEDIA && { data: block.data }),
          ...(typeof block.uri === 'string' && { uri: block.uri }),
        };
      case 'audio':
        return {
          kind: 'audio',
          mimeType: block.mimeType,
          bytes: base64Bytes(block.data),
          ...(block.data !== '' && block.data.length <= MAX_INLINE_MEDIA && { data: block.data }),
        };
      case 'resource_link':
        return {
          kind: 'link',
          uri: block.uri,
          name: block.name,
          ...(typeof block.title === 'string' && { title: block.title }),
          ...(typeof block.description === 'string' && { description: block.description }),
          ...(typeof block.mimeType === 'string' && { mimeType: block.mimeType }),
          ...(typeof block.size === 'number' && { bytes: block.size }),
        };
      case 'resource':
        return this.resource(block.resource, ref);
      default: {
        const unknown: { readonly type?: unknown } = block;
        return {
          kind: 'unknown',
          type: String(unknown.type),
          json: this.json(unknown, ref, 'Content'),
        };
      }
    }
  }

  private resource(resource: schema.EmbeddedResourceResource, ref: string): ContentView {
    const base = {
      kind: 'resource' as const,
      uri: resource.uri,
      ...(typeof resource.mimeType === 'string' && { mimeType: resource.mimeType }),
    };
    if ('text' in resource) return { ...base, text: this.text(resource.text, ref, resource.uri) };
    return { ...base, bytes: base64Bytes(resource.blob) };
  }

  private cut(text: string, limit: number, ref: string, title: string): Preview {
    if (text.length <= limit) return { text, truncated: false };
    const kept = this.contents.put(ref, { kind: 'text', title, text });
    return { text: text.slice(0, limit), truncated: true, ref: kept };
  }
}

/** Undefined when there are none that say anything. */
function annotationsOf(block: schema.ContentBlock): ContentAnnotations | undefined {
  const { audience, lastModified, priority } = ('annotations' in block && block.annotations) || {};
  const annotations = {
    ...(audience && audience.length > 0 && { audience }),
    ...(typeof lastModified === 'string' && { lastModified }),
    ...(typeof priority === 'number' && { priority }),
  };
  return Object.keys(annotations).length > 0 ? annotations : undefined;
}

/** Meant for the model, not for the user. */
export function isForModelOnly(block: schema.ContentBlock): boolean {
  const audience = annotationsOf(block)?.audience;
  return audience !== undefined && !audience.includes('user');
}

/** What a replayed prompt carried besides its text. */
export function replayedAttachment(block: schema.ContentBlock, id: string): Attachment {
  const uri =
    block.type === 'resource' ? block.resource.uri : 'uri' in block ? block.uri : undefined;
  const mimeType = 'mimeType' in block ? block.mimeType : undefined;
  const label =
    block.type === 'resource_link'
      ? block.name
      : typeof uri === 'string'
        ? lastSegment(uri)
        : block.type;
  return {
    id,
    kind: block.type === 'image' ? 'image' : 'file',
    label,
    title: typeof uri === 'string' ? uri : label,
    ...(typeof uri === 'string' && { uri }),
    ...(typeof mimeType === 'string' && { mimeType }),
  };
}

function lastSegment(uri: string): string {
  const segment = uri
    .replace(/[#?].*$/, '')
    .split('/')
    .at(-1);
  return segment || uri;
}

function base64Bytes(data: string): number {
  return Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : toJson(value, 2);
}
