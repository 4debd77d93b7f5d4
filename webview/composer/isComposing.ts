/** Enter, Esc and the arrows belong to the input method while it composes. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
