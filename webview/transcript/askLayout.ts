import type { PermissionOption } from '../../src/session/state/permission';

/** An option with its place (1-based) in the agent's list, which is the key that answers with it. */
export interface NumberedOption {
  readonly option: PermissionOption;
  readonly place: number;
}

export type AskLayout =
  /** Full-width rows in the agent's order; `filled` is the place of the first allow-once. */
  | { readonly kind: 'rows'; readonly options: readonly NumberedOption[]; readonly filled?: number }
  /** Short buttons; `lasting` opens below them, from "Always…". */
  | {
      readonly kind: 'row';
      readonly options: readonly NumberedOption[];
      readonly lasting: readonly NumberedOption[];
      readonly filled?: number;
    };

/** Longest name, in characters, that fits a button in a row. */
const SHORT = 16;

/** How the options of a request are laid out; the rules are in the design's "Requests". */
export function askLayout(options: readonly PermissionOption[]): AskLayout {
  const all = options.map((option, index) => ({ option, place: index + 1 }));
  const first = all.find(({ option }) => option.kind === 'allow_once')?.place;
  const filled = first === undefined ? {} : { filled: first };
  if (options.some(option => [...option.name].length > SHORT)) {
    return { kind: 'rows', options: all, ...filled };
  }
  const lasting = all.filter(({ option }) => isLasting(option));
  if (lasting.length < 2 || first === undefined) {
    return { kind: 'row', options: allowFirst(all, first), lasting: [], ...filled };
  }
  const others = all.filter(({ option }) => !isLasting(option));
  return { kind: 'row', options: allowFirst(others, first), lasting, ...filled };
}

export function isLasting(option: PermissionOption): boolean {
  return option.kind === 'allow_always' || option.kind === 'reject_always';
}

function allowFirst(
  options: readonly NumberedOption[],
  first: number | undefined,
): readonly NumberedOption[] {
  return [
    ...options.filter(({ place }) => place === first),
    ...options.filter(({ place }) => place !== first),
  ];
}
