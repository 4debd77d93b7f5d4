/** A script of its own, loaded with the first finished diagram: Mermaid, and how its drawings are shown. */
import * as l10n from '@vscode/l10n';
import { diagramColors } from './diagramColors';
import { drawn, type Drawing } from './drawing';

/** Drawings that are kept: a diagram that is scrolled out of view and back is not drawn again. */
const MAX_KEPT = 40;

const kept = new Map<string, Promise<Drawing>>();
let isWatching = false;

/** Shows the diagram that is written in a block of code. */
export function showDiagram(figure: HTMLElement): void {
  watchTheme();
  void show(figure);
}

async function show(figure: HTMLElement): Promise<void> {
  const source = figure.querySelector('pre')?.textContent ?? '';
  const colors = JSON.stringify(diagramColors());
  figure.dataset['colors'] = colors;
  const drawing = await drawingOf(source, colors);
  // The theme has changed meanwhile: the next one is on its way.
  if (figure.dataset['colors'] !== colors) return;
  if ('problem' in drawing) showProblem(figure, drawing.problem);
  else showImage(figure, drawing);
}

function drawingOf(source: string, colors: string): Promise<Drawing> {
  const key = `${colors}\n${source}`;
  const known = kept.get(key);
  const drawing = known ?? drawn(source, diagramColors());
  // The latest is the last to go.
  kept.delete(key);
  kept.set(key, drawing);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
  return drawing;
}

function showImage(figure: HTMLElement, drawing: Exclude<Drawing, { problem: string }>): void {
  const { url, width, title, description } = drawing;
  const image = document.createElement('img');
  // In an image nothing acts: no script, no link, nothing from the network.
  image.src = url;
  image.alt = [title, description].filter(Boolean).join('. ');
  image.style.setProperty('--natural', `${width}px`);
  const box = document.createElement('div');
  box.className = 'drawing';
  box.tabIndex = -1;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', l10n.t('Diagram'));
  box.append(image);
  const pre = figure.querySelector('pre');
  const isFirst = !figure.classList.contains('diagram');
  figure.querySelector('.drawing')?.remove();
  figure.querySelector('.problem')?.remove();
  pre?.before(box);
  figure.classList.add('diagram');
  if (pre && isFirst) pre.hidden = true;
  if (isFirst) figure.querySelector('.bar > .grow')?.after(sourceButton(figure));
}

/** Why it is not drawn; the source stays. */
function showProblem(figure: HTMLElement, problem: string): void {
  figure.querySelector('.problem')?.remove();
  const note = document.createElement('p');
  note.className = 'problem';
  note.textContent = l10n.t('Not drawn: {0}', problem);
  figure.append(note);
}

function sourceButton(figure: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'icon small';
  button.tabIndex = -1;
  button.setAttribute('aria-label', l10n.t('Show Source'));
  button.title = l10n.t('Show Source');
  button.setAttribute('aria-pressed', 'false');
  const glyph = document.createElement('i');
  glyph.className = 'codicon s12 codicon-code';
  glyph.setAttribute('aria-hidden', 'true');
  button.append(glyph);
  button.addEventListener('click', () => {
    const pre = figure.querySelector('pre');
    const box = figure.querySelector<HTMLElement>('.drawing');
    if (!pre || !box) return;
    pre.hidden = !pre.hidden;
    box.hidden = !pre.hidden;
    button.setAttribute('aria-pressed', String(!pre.hidden));
  });
  return button;
}

function watchTheme(): void {
  if (isWatching) return;
  isWatching = true;
  const observer = new MutationObserver(() => {
    const now = JSON.stringify(diagramColors());
    for (const figure of document.querySelectorAll<HTMLElement>('figure[data-colors]')) {
      if (figure.dataset['colors'] !== now) void show(figure);
    }
  });
  const attributes = {
    attributes: true,
    attributeFilter: ['class', 'style', 'data-vscode-theme-id'],
  };
  observer.observe(document.body, attributes);
  observer.observe(document.documentElement, attributes);
}
