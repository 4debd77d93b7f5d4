import { invocationOf, valuesOf } from '../../base/invocation';
import type { Invocation } from '../../base/invocation';
import type { Redirection } from '../../base/shellCommand';
import type { CommandRisk } from '../state/permission';

/** What harm a command can do, and the words to name it by. */
export type Harm = Pick<CommandRisk, 'kind' | 'name'>;

type Outside = (path: string) => boolean;

const DISK = /^\/dev\/(?:sd|nvme|hd|disk|vd|mmcblk)/;
/** What a redirection names without writing a file: devices, other descriptors, commands. */
const NO_FILE = /^(?:\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)|\$\(\))$/;
const DESCRIPTOR = /^(?:\d+-?|-)$/;

/** What a redirection can do: write outside the workspace, or to a disk. */
export function redirectionHarm(
  { operator, target }: Redirection,
  outside: Outside,
): Harm | undefined {
  if (!target || !/>/.test(operator)) return undefined;
  if (DISK.test(target.value)) return { kind: 'disk', name: '> /dev' };
  if (operator === '>&' && DESCRIPTOR.test(target.value)) return undefined;
  if (!writesOutside(target.value, outside)) return undefined;
  return { kind: 'overwritesOutside', name: operator.includes('>>') ? '>>' : '>' };
}

function writesOutside(path: string, outside: Outside): boolean {
  return !NO_FILE.test(path) && outside(path);
}

/** What a program can do with its arguments; `source` is the command as it was written. */
export function harmOf(run: Invocation, source: string, outside: Outside): Harm | undefined {
  const given = valuesOf(run.words.slice(1));
  const has = (pattern: RegExp): boolean => given.some(value => pattern.test(value));
  const { name } = run;
  switch (name) {
    case 'rm': {
      if (run.fed) return { kind: 'deletes', name: 'xargs rm' };
      const last = given.indexOf('--');
      const options = given.filter((value, at) => /^-./.test(value) && (last < 0 || at < last));
      if (!options.some(value => /^-(?:-rec|-for|[a-zA-Z]*[rRf])/.test(value))) return undefined;
      return { kind: 'deletes', name: [name, ...options].join(' ') };
    }
    case 'find':
      return findHarm(run, outside);
    case 'remove-item':
    case 'ri':
      // In PowerShell a backslash is no escape.
      if (!/\s-r(?:ec?u?r?s?e?)?(?![a-z])/i.test(source)) return undefined;
      return { kind: 'deletes', name: 'Remove-Item -Recurse' };
    case 'rd':
    case 'rmdir':
    case 'del':
    case 'erase':
      return has(/^\/s/i) ? { kind: 'deletes', name: `${name} /s` } : undefined;
    case 'shred':
      return given.length > 0 ? { kind: 'deletes', name } : undefined;
    case 'git':
      return gitHarm(given);
    case 'dd':
      return has(/^of=(?!\/dev\/null$)/) ? { kind: 'disk', name } : undefined;
    case 'chmod':
    case 'chown':
    case 'chgrp':
      if (has(/^-(?:-recursive$|[a-zA-Z]*R)/)) return { kind: 'permissions', name: `${name} -R` };
      if (name === 'chmod' && has(/^0?777$/)) return { kind: 'permissions', name: 'chmod 777' };
      return undefined;
    case 'tee':
    case 'cp':
    case 'mv': {
      const files = name === 'tee' ? operands(given) : copyTargets(given);
      if (!files.some(file => writesOutside(file, outside))) return undefined;
      return { kind: 'overwritesOutside', name };
    }
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'cargo':
      if (!isVerb('publish', given)) return undefined;
      return { kind: 'publishes', name: `${name} publish` };
    case 'shutdown':
    case 'reboot':
    case 'halt':
    case 'poweroff':
      return { kind: 'shutsDown', name };
    default:
      return /^mkfs(?:\.\w+)?$/.test(name) ? { kind: 'disk', name: 'mkfs' } : undefined;
  }
}

/** Without options. */
function operands(given: readonly string[]): readonly string[] {
  const last = given.indexOf('--');
  return given.filter((value, at) => (last >= 0 && at > last) || !value.startsWith('-'));
}

/** Where `cp` or `mv` writes to. */
function copyTargets(given: readonly string[]): readonly string[] {
  const option = /^(?:-[a-su-zA-RT-Z]*t|--target-directory(?:=|$))([^]*)$/;
  const at = given.findIndex(value => option.test(value));
  if (at < 0) return operands(given).slice(1).slice(-1);
  return [option.exec(given[at] ?? '')?.[1] || (given[at + 1] ?? '')];
}

/** Whether nothing but options and their values stands before the verb. */
function isVerb(verb: string, given: readonly string[]): boolean {
  const before = given.slice(0, Math.max(0, given.indexOf(verb)));
  const options = before.every((value, at) => /^-/.test(value) || /^--/.test(before[at - 1] ?? ''));
  return given.includes(verb) && options;
}

function findHarm({ words }: Invocation, outside: Outside): Harm | undefined {
  if (words.some(({ value }) => value === '-delete')) {
    return { kind: 'deletes', name: 'find -delete' };
  }
  const at = words.findIndex(({ value }) => /^-(?:exec|ok)(?:dir)?$/.test(value));
  const behind = at < 0 ? [] : words.slice(at + 1);
  const end = behind.findIndex(({ value }) => /^[;+]$/.test(value));
  const run = invocationOf(end < 0 ? behind : behind.slice(0, end));
  if (run?.name === 'rm') return { kind: 'deletes', name: 'find -exec rm' };
  return run && run.name !== 'find' ? harmOf(run, '', outside) : undefined;
}

function gitHarm(given: readonly string[]): Harm | undefined {
  let at = 0;
  while (given[at]?.startsWith('-')) {
    at += /^(?:-[Cc]|--(?:git-dir|work-tree|namespace))$/.test(given[at] ?? '') ? 2 : 1;
  }
  const [verb, ...rest] = given.slice(at);
  const has = (pattern: RegExp): boolean => rest.some(value => pattern.test(value));
  switch (verb) {
    case 'clean':
      return has(/^-(?:-force$|[a-zA-Z]*f)/) ? { kind: 'discards', name: 'git clean' } : undefined;
    case 'reset':
      return has(/^--hard$/) ? { kind: 'discards', name: 'git reset --hard' } : undefined;
    case 'checkout': {
      const all = rest.includes('--') ? rest.at(-1) !== '--' : has(/^(?:\.|--force|-f)$/);
      return all ? { kind: 'discards', name: 'git checkout' } : undefined;
    }
    case 'restore':
      if (has(/^(?:-S|--staged)$/) && !has(/^(?:-W|--worktree)$/)) return undefined;
      return { kind: 'discards', name: 'git restore' };
    case 'push':
      if (!has(/^(?:--force|--delete$|--mirror$|-[a-zA-Z]*[fd]|[+:].)/)) return undefined;
      return { kind: 'rewritesRemote', name: 'git push --force' };
    default:
      return undefined;
  }
}
