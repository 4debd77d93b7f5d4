import { noChange, type ElementPart } from 'lit';
import { directive, Directive, PartType, type PartInfo } from 'lit/directive.js';

/**
 * Sets style properties through the object model: `<i ${styles({ width: '43%' })}></i>`. Lit's own `styleMap`
 * begins with a style attribute, which the page's content security policy forbids.
 */
class StylesDirective extends Directive {
  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('styles() belongs into an element.');
  }

  render(_properties: Readonly<Record<string, string>>): typeof noChange {
    return noChange;
  }

  override update(
    part: ElementPart,
    [properties]: [Readonly<Record<string, string>>],
  ): typeof noChange {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(properties)) {
      if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
    }
    return noChange;
  }
}

export const styles = directive(StylesDirective);
