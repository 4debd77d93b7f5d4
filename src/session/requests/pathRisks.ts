import type { PathWarning, RunsCode } from '../state/permission';
export interface PathPlace {
  readonly roots: readonly string[];
  readonly cwd: string;
  readonly home?: string;
}
export function pathRisk(
  _path: string,
  _place: PathPlace,
): { readonly outside: boolean; readonly runs?: RunsCode } {
  return { outside: false };
}
export function riskyWords(_command: string, _place: PathPlace): readonly PathWarning[] {
  return [];
}
