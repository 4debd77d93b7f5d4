import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import '../markdown/markdownElement';
import { linkTarget } from '../markdown/linkTarget';
import { withoutEscapes } from '../../src/base/escapeSequences';
import type { ContentView, Preview } from '../../src/session/state/content';
import { icon } from '../ui/icon';
import type { ViewContext } from './context';
import { baseName, bytes } from './words';

/** Kinds of picture a browser shows without running anything. */
const PICTURES = /^image\/(?:png|jpe?g|gif|webp|bmp|avif)$/i;

/** Kinds of sound that every browser plays. */
const SOUNDS = /^audio\/(?:mpeg|mp3|mp4|aac|ogg|opus|wave?|x-wav|webm|flac)\b/i;
/** What an agent gives less importance than this is shown quietly. */
const LOW_PRIORITY = 0.3;

/**
 * A content block of a reply or a tool call. What is not meant for the user is folded away, not hidden.
 * @param key names its folds
 */
export function contentView(context: ViewContext, block: ContentView, key: string): TemplateResult {
  const { audience, priority } = block.annotations ?? {};
  if (audience && audience.length > 0 && !audience.includes('user')) {
    const title = l10n.t('For the agent');
    return fold(context, title, `${key}#audience`, 'robot', () => blockView(context, block, key));
  }
  if (priority !== undefined && priority < LOW_PRIORITY) {
    return html`<div class="minor">${blockView(context, block, key)}</div>`;
  }
  return blockView(context, block, key);
}

function blockView(context: ViewContext, block: ContentView, key: string): TemplateResult {
  switch (block.kind) {
    case 'text':
      return html`<parley-markdown
          class="md"
          .text=${block.text.text}
          .live=${false}
        ></parley-markdown>
        ${openWhole(context, block.text)}`;
    case 'image':
      return imageView(context, block);
    case 'audio':
      return audioView(block);
    case 'link':
      return html`${linkRow(context, block.uri, block.title ?? block.name, linkDetail(block))}
      ${block.description ? html`<p class="note">${withoutEscapes(block.description)}</p>` : nothing}`;
    case 'resource':
      return block.text
        ? previewFold(
            context,
            baseName(block.uri) || block.uri,
            block.text,
            `${key}#resource`,
            'file',
          )
        : linkRow(
            context,
            block.uri,
            baseName(block.uri) || block.uri,
            [block.mimeType, block.bytes === undefined ? '' : bytes(block.bytes)]
              .filter(Boolean)
              .join(', '),
          );
    case 'unknown':
      return previewFold(
        context,
        l10n.t('Unknown content: {0}', block.type),
        block.json,
        `${key}#unknown`,
        'json',
      );
    default:
      return html`${String(block satisfies never)}`;
  }
}

/** One line that opens to text as it is: JSON, a file. */
export function previewFold(
  context: ViewContext,
  title: string,
  preview: Preview,
  key: string,
  glyph?: string,
): TemplateResult {
  return fold(
    context,
    title,
    key,
    glyph,
    () =>
      html`<figure class="block" aria-label=${title}>
          <pre tabindex="-1">${withoutEscapes(preview.text)}</pre>
        </figure>
        ${openWhole(context, preview)}`,
  );
}

/** One line that opens to `body`, which is made only then. */
export function fold(
  context: ViewContext,
  title: string,
  key: string,
  glyph: string | undefined,
  body: () => TemplateResult,
): TemplateResult {
  const open = context.folds.get(key, false);
  const words = withoutEscapes(title);
  return html`<details class="fold" data-fold=${key} ?open=${open} @toggle=${toggled(context, key)}>
    <summary tabindex="-1">
      ${glyph ? icon(glyph) : nothing}<span class="cut" title=${words}>${words}</span>${icon(
        'chevron-right',
      )}
    </summary>
    ${context.folds.get(key, false) ? body() : nothing}
  </details>`;
}

/** Keeps `key` in step with a `details` element that the reader opens or closes. */
export function toggled(context: ViewContext, key: string): (event: Event) => void {
  return event => {
    if (event.target === event.currentTarget && event.target instanceof HTMLDetailsElement) {
      context.folds.set(key, event.target.open);
    }
  };
}

/** The way to the whole of a text that was cut for display. */
export function openWhole(context: ViewContext, preview: Preview): TemplateResult | typeof nothing {
  const { ref } = preview;
  if (!preview.truncated || ref === undefined) return nothing;
  return html`<button
    type="button"
    class="go"
    tabindex="-1"
    @click=${() => context.send({ type: 'openContent', ref })}
  >
    ${icon('go-to-file', { small: true })}<span class="cut">${l10n.t('Open in Editor')}</span>
  </button>`;
}

function imageView(
  context: ViewContext,
  block: Extract<ContentView, { kind: 'image' }>,
): TemplateResult {
  if (block.data !== undefined && PICTURES.test(block.mimeType)) {
    const name = block.uri ? baseName(block.uri) : l10n.t('Image from the agent');
    return html`<img
      class="picture"
      alt=${name}
      title=${`${name}, ${bytes(block.bytes)}`}
      src=${`data:${block.mimeType};base64,${block.data}`}
    />`;
  }
  const detail = [block.mimeType, block.bytes > 0 ? bytes(block.bytes) : '']
    .filter(Boolean)
    .join(', ');
  return block.uri
    ? linkRow(context, block.uri, baseName(block.uri), detail, 'file-media')
    : plainRow('file-media', l10n.t('Image'), detail);
}

function audioView(block: Extract<ContentView, { kind: 'audio' }>): TemplateResult {
  const row = plainRow('unmute', l10n.t('Audio'), `${block.mimeType}, ${bytes(block.bytes)}`);
  if (block.data === undefined || !SOUNDS.test(block.mimeType)) return row;
  return html`${row}<audio
      controls
      controlslist="nodownload noplaybackrate"
      preload="metadata"
      aria-label=${l10n.t('Audio from the agent')}
      src=${`data:${block.mimeType};base64,${block.data}`}
    ></audio>`;
}

function linkDetail(block: Extract<ContentView, { kind: 'link' }>): string {
  return block.bytes === undefined ? '' : bytes(block.bytes);
}

function linkRow(
  context: ViewContext,
  uri: string,
  label: string,
  detail: string,
  glyph = 'link',
): TemplateResult {
  const href = linkTarget(uri);
  if (href === undefined) return plainRow(glyph, label, detail || uri);
  return html`<button
    type="button"
    class="go"
    tabindex="-1"
    title=${href}
    @click=${() => context.send({ type: 'openLink', href })}
  >
    ${icon(glyph)}<span class="cut"
      ><span class="obj">${withoutEscapes(label)}</span> ${withoutEscapes(detail)}</span
    >
  </button>`;
}

function plainRow(glyph: string, name: string, about: string): TemplateResult {
  const [label, detail] = [withoutEscapes(name), withoutEscapes(about)];
  return html`<p class="go plain">
    ${icon(glyph)}<span class="cut" title=${`${label} ${detail}`}
      ><span class="obj">${label}</span> ${detail}</span
    >
  </p>`;
}
