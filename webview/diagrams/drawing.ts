import * as l10n from '@vscode/l10n';
import mermaid from 'mermaid';
import type { DiagramColors } from './diagramColors';
import { preparePurifier } from './purifier';
import { withStyles } from './stage';
import { restoreStyles } from './styles';

/** A diagram as an image, or why there is none. */
export type Drawing =
  | {
      /** A `data:` URL. */
      readonly url: string;
      /** In pixels. */
      readonly width: number;
      readonly title: string;
      readonly description: string;
    }
  | { readonly problem: string };

/** Longer sources and drawings are not shown, in UTF-16 units: laying them out would stop the panel for seconds. */
const MAX_SOURCE = 20_000;
const MAX_DRAWING = 2_000_000;
const MAX_EDGES = 300;

/** Of a reason, in UTF-16 units. */
const MAX_PROBLEM = 200;

/** What the source of a diagram has no say in. */
const SECURE = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'theme',
  'themeCSS',
  'themeVariables',
  'fontFamily',
  'altFontFamily',
  'legacyMathML',
  'forceLegacyMathML',
];

preparePurifier();
let last: Promise<unknown> = Promise.resolve();
let count = 0;

/** Draws one after the other: Mermaid has one configuration for all. */
export function drawn(source: string, colors: DiagramColors): Promise<Drawing> {
  if (source.length > MAX_SOURCE) {
    return Promise.resolve({ problem: l10n.t('the diagram is too large') });
  }
  const drawing = last.then(() => draw(source, colors));
  last = drawing;
  return drawing;
}

async function draw(source: string, colors: DiagramColors): Promise<Drawing> {
  const fontFamily = getComputedStyle(document.body).fontFamily;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    secure: SECURE,
    maxTextSize: MAX_SOURCE,
    maxEdges: MAX_EDGES,
    htmlLabels: false,
    flowchart: { htmlLabels: false, useMaxWidth: false },
    // Beside the pie it would be out of sight in a narrow panel.
    pie: { legendPosition: 'bottom' },
    theme: 'base',
    themeVariables: { ...colors, fontFamily, fontSize: '13px' },
    fontFamily,
    logLevel: 'fatal',
  });
  try {
    const svg = await withStyles(async stage => {
      const id = `diagram-${(count += 1)}`;
      return (await mermaid.render(id, source, stage)).svg;
    });
    return imageOf(svg, colors);
  } catch (error) {
    return { problem: problemOf(error, source) };
  }
}

function imageOf(svg: string, colors: DiagramColors): Drawing {
  const root = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  if (!root) return { problem: l10n.t('there is nothing in it') };
  // Out of its document, which is under the policy of the page.
  root.remove();
  restoreStyles(root);
  const title = root.querySelector(':scope > title')?.textContent?.trim() ?? '';
  const kind = root.getAttribute('aria-roledescription') ?? '';
  const description = root.querySelector(':scope > desc')?.textContent?.trim() ?? '';
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '')
    .split(/[\s,]+/)
    .map(Number);
  if (!(width > 0 && height > 0)) return { problem: l10n.t('there is nothing in it') };
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  root.style.maxWidth = '';
  root.style.backgroundColor = colors.background;
  // Of axes.
  root.style.color = String(colors['textColor']);
  const text = new XMLSerializer().serializeToString(root);
  if (text.length > MAX_DRAWING) return { problem: l10n.t('the diagram is too large') };
  return {
    url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`,
    width: Math.ceil(width),
    title: title === '' ? l10n.t('Diagram: {0}', kind) : title,
    description,
  };
}

function problemOf(error: unknown, source: string): string {
  if (!(error instanceof Error)) return String(error).slice(0, MAX_PROBLEM);
  if (error.name === 'UnknownDiagramError') return l10n.t('the kind of diagram is not known');
  // Mermaid adds a line of its own.
  const line = /^Parse error on line (\d+)/.exec(error.message)?.[1];
  if (Number(line) > source.trimEnd().split('\n').length) return l10n.t('it ends too early');
  const [first = ''] = error.message.split('\n');
  return first.slice(0, MAX_PROBLEM).replace(/:$/, '');
}
