const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `text` with characters that do not show, or that reorder others, written by their numbers: `‹U+202E›`. */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, character => {
    if (character === '\n' || character === '\t') return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `‹U+${code}›`;
  });
}
