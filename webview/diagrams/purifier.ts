import DOMPurify from 'dompurify';
import { attributesDropped, stylesNamedApart } from './styles';

/**
 * Mermaid cleans labels and its whole drawing with this purifier (the conversation's is another). Parsing is enough for
 * a browser to report what the policy forbids, so that goes before. The drawing has its styles again as an image.
 */
export function preparePurifier(): void {
  const purify = DOMPurify.sanitize.bind(DOMPurify) as (dirty: Dirty, config?: object) => string;
  DOMPurify.sanitize = ((dirty: Dirty, config?: object) => {
    if (typeof dirty !== 'string') return purify(dirty, config);
    const isDrawing = dirty.startsWith('<svg id="diagram-');
    return purify(isDrawing ? stylesNamedApart(dirty) : attributesDropped(dirty), config);
  }) as typeof DOMPurify.sanitize;
}

type Dirty = string | Node;
