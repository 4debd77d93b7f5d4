import { ownRules } from './rules';
import { restoreStyles, stylesNamedApart } from './styles';

/**
 * Runs `draw` with an element out of sight in which text can be measured. Mermaid writes `style` elements and
 * attributes, which the content security policy lets nobody do who has not its nonce: while it draws, they are set as
 * the policy allows. What it draws leaves the page as text, and is shown as an image.
 */
export async function withStyles<T>(draw: (stage: HTMLElement) => Promise<T>): Promise<T> {
  const stage = document.createElement('div');
  stage.className = 'diagram-stage';
  stage.inert = true;
  document.body.append(stage);
  const undo = [styleElements(), attributes(), markup(stage)];
  try {
    return await draw(stage);
  } finally {
    for (const each of undo) each();
    stage.remove();
  }
}

function styleElements(): () => void {
  const nonce =
    document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? '';
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
  return () => {
    // The prototype's own comes to light again.
    delete (document as { createElement?: unknown }).createElement;
  };
}

/** Handlers, which the policy forbids as well, are left out: there is nothing to click in an image. */
function attributes(): () => void {
  const before = Object.getOwnPropertyDescriptor(Element.prototype, 'setAttribute');
  const set = before?.value as (this: Element, name: string, value: string) => void;
  Element.prototype.setAttribute = function (this: Element, name: string, value: string): void {
    if (name === 'style' && 'style' in this) {
      (this.style as CSSStyleDeclaration).cssText = value;
    } else if (!name.startsWith('on')) {
      set.call(this, name, value);
    }
  };
  return () => {
    if (before) Object.defineProperty(Element.prototype, 'setAttribute', before);
  };
}

/** Rules are written as text, and so are icons. */
function markup(stage: HTMLElement): () => void {
  const before = Object.getOwnPropertyDescriptor(Element.prototype, 'innerHTML');
  if (!before) return () => undefined;
  Object.defineProperty(Element.prototype, 'innerHTML', {
    ...before,
    set(this: Element, text: string) {
      if (this instanceof HTMLStyleElement) {
        this.textContent = ownRules(text);
      } else if (stage.contains(this)) {
        before.set?.call(this, stylesNamedApart(text));
        restoreStyles(this);
      } else {
        before.set?.call(this, text);
      }
    },
  });
  return () => {
    Object.defineProperty(Element.prototype, 'innerHTML', before);
  };
}
