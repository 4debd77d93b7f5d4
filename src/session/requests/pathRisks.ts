import { folded } from '../../base/fileNames';
import type { RunsCode } from '../state/permission';
import { PathPattern } from '../rules/pathPattern';
import { isIn, likeWindows, resolved } from './resolvedPath';
import type { PathPlace, Resolved } from './resolvedPath';
import { RUNS_CODE } from './runsCode';

export interface PathRisk {
  /** Whether it is in none of the roots, as far as its name says: links are not followed. */
  readonly outside: boolean;
  readonly runs?: RunsCode;
}

/** What is to be known of a path before it is written, however it is spelled. Where spellings differ, the worse counts. */
export function pathRisk(path: string, place: PathPlace): PathRisk {
  return pathRisks(place)(path);
}

/** The same for many paths of one place. */
export function pathRisks(place: PathPlace): (path: string) => PathRisk {
  const roots = place.roots.map(root => resolved(root, place));
  const listed = (place.protectedFiles ?? []).map(each => new PathPattern(each, place));
  return path => {
    const spellings = [...new Set([likeWindows(path), path])].map(each => resolved(each, place));
    const outside = spellings.some(each => !roots.some(root => isIn(each, root)));
    const isListed = listed.some(pattern => pattern.mayFit(path));
    const runs = spellings.map(runsOf).find(code => code !== undefined) ?? (isListed && 'listed');
    return { outside, ...(runs && { runs }) };
  };
}

const RULES = Object.entries(RUNS_CODE).map(([code, patterns]) => ({
  code: code as keyof typeof RUNS_CODE,
  pattern: new RegExp(patterns.split(/\s+/).map(source).join('|')),
}));

function source(pattern: string): string {
  const below = pattern.endsWith('/**');
  const name = below ? pattern.slice(0, -3) : pattern;
  const expression = name.replace(/[.]/g, '\\.').replaceAll('*', '[^/]*');
  // What Apple keeps in /private is linked to from the root.
  const start = pattern.startsWith('/') ? '^(?:/private)?' : '/';
  return `${start}${expression}${below ? '(?:/|$)' : '$'}`;
}

function runsOf({ names }: Resolved): RunsCode | undefined {
  const path = folded(`/${names.join('/')}`);
  return RULES.find(({ pattern }) => pattern.test(path))?.code;
}
