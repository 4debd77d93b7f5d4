import type { CommandRisk, RiskKind } from '../state/permission';

const RULES: readonly {
  readonly kind: RiskKind;
  readonly pattern: RegExp;
  readonly name: string;
}[] = [
  {
    kind: 'downloadedScript',
    name: '',
    pattern:
      /\b(curl|wget)\b[^|;&\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?(sh|python3?|node|perl|ruby)\b/g,
  },
  {
    kind: 'downloadedScript',
    name: '',
    pattern: /\b(?:ba|z|da|k)?sh\b\s+(?:-c\s+)?(?:<\(|"?\$\()\s*(?:curl|wget)\b[^)\n]*\)"?/g,
  },
  {
    kind: 'deletes',
    name: 'rm',
    pattern:
      /(?<![\w./-])(?:\/bin\/)?rm(?:\s+-{1,2}[\w-]+)*\s+-(?:-recursive|-force|\w*[rRf]\w*)\b[^;&|\n]*/g,
  },
  { kind: 'deletes', name: 'find -delete', pattern: /\bfind\b[^;&|\n]*\s-delete\b/g },
  {
    kind: 'deletes',
    name: 'find -exec rm',
    pattern: /\bfind\b[^;&|\n]*\s-exec(?:dir)?\s+rm\b[^;&|\n]*/g,
  },
  { kind: 'deletes', name: 'xargs rm', pattern: /\bxargs\b[^;&|\n]*\brm\b[^;&|\n]*/g },
  {
    kind: 'deletes',
    name: 'Remove-Item -Recurse',
    pattern: /\bRemove-Item\b[^;&|\n]*-Recurse\b[^;&|\n]*/gi,
  },
  { kind: 'deletes', name: 'rd /s', pattern: /\b(?:rd|rmdir)\s+\/s\b[^;&|\n]*/gi },
  { kind: 'deletes', name: 'shred', pattern: /(?<![\w./-])shred\s+[^;&|\n]+/g },
  {
    kind: 'discards',
    name: 'git clean',
    pattern: /\bgit\s+(?:-C\s+\S+\s+)?clean\s+[^;&|\n]*-\w*f\w*[^;&|\n]*/g,
  },
  {
    kind: 'discards',
    name: 'git reset --hard',
    pattern: /\bgit\s+(?:-C\s+\S+\s+)?reset\s+[^;&|\n]*--hard\b[^;&|\n]*/g,
  },
  {
    kind: 'discards',
    name: 'git checkout',
    pattern: /\bgit\s+(?:-C\s+\S+\s+)?checkout\s+(?:[^;&|\n]*\s)?--\s+[^;&|\n]+/g,
  },
  {
    kind: 'rewritesRemote',
    name: 'git push --force',
    pattern:
      /\bgit\s+(?:-C\s+\S+\s+)?push\b[^;&|\n]*\s(?:--force(?:-with-lease)?\b|-f\b|--delete\b|--mirror\b|\+\S+)[^;&|\n]*/g,
  },
  { kind: 'disk', name: 'dd', pattern: /(?<![\w./-])dd\s+[^;&|\n]*\bof=[^;&|\n]*/g },
  { kind: 'disk', name: 'mkfs', pattern: /(?<![\w./-])mkfs(?:\.\w+)?\s+[^;&|\n]*/g },
  { kind: 'disk', name: '> /dev', pattern: />+\s*\/dev\/(?:sd|nvme|hd|disk|vd|mmcblk)\w*/g },
  {
    kind: 'permissions',
    name: 'chmod -R',
    pattern: /(?<![\w./-])chmod\s+(?:-\w*R\w*|--recursive)\b[^;&|\n]*/g,
  },
  {
    kind: 'permissions',
    name: 'chown -R',
    pattern: /(?<![\w./-])chown\s+(?:-\w*R\w*|--recursive)\b[^;&|\n]*/g,
  },
  { kind: 'permissions', name: 'chmod 777', pattern: /(?<![\w./-])chmod\s+0?777\b[^;&|\n]*/g },
  {
    kind: 'overwritesOutside',
    name: '>',
    pattern:
      /(?<![<>=\d-])>{1,2}\s*(?:~|\/(?!dev\/(?:null|stdout|stderr|tty)\b)|\$HOME|\.\.\/)[^\s;&|]*/g,
  },
  { kind: 'publishes', name: 'npm publish', pattern: /\b(?:npm|pnpm|yarn)\s+publish\b[^;&|\n]*/g },
  {
    kind: 'shutsDown',
    name: '',
    pattern: /(?<![\w./-])(shutdown|reboot|halt|poweroff)\b(?!\.)[^;&|\n]*/g,
  },
  { kind: 'administrator', name: 'sudo', pattern: /(?<![\w./-])(?:sudo|doas)\s+/g },
];

/**
 * The risky pieces of a shell command, by position; overlapping ones only once. A reader's aid, no guard:
 * a command without any can still do harm.
 */
export function riskyPieces(command: string): readonly CommandRisk[] {
  const found: CommandRisk[] = [];
  for (const { kind, pattern, name } of RULES) {
    for (const match of command.matchAll(pattern)) {
      const text = match[0].trimEnd();
      const start = match.index;
      const risk = { start, end: start + text.length, name: nameOf(kind, name, text, match), kind };
      if (!found.some(other => risk.start < other.end && other.start < risk.end)) found.push(risk);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

function nameOf(kind: RiskKind, name: string, text: string, match: RegExpMatchArray): string {
  if (kind === 'downloadedScript')
    return match[1] ? `${match[1]} | ${match[2] ?? 'sh'}` : 'sh $(curl)';
  if (name === 'rm') return /^\S*rm(?:\s+-\S+)+/.exec(text)?.[0] ?? 'rm';
  if (name === '>') return text.startsWith('>>') ? '>>' : '>';
  return name || (match[1] ?? text);
}
