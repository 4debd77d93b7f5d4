import { spawn, type ChildProcess } from 'node:child_process';
import { HOST_MARK, MARK_VARIABLE } from './processMark';
import { BROWSER_AUTOMATION, BROWSER_PROGRAM } from './usersBrowser';
import { editorProcesses } from './usersEditor';

/**
 * Reads `+ group` and `- group` lines; at the end of its input, which is the end of whoever wrote them, it ends the
 * groups that are left. Unless its last line is `rest`, it also ends what has the mark of whoever wrote them,
 * but for the user's browsers, and what a `keep process` line names or is the editor's, with all below it: what is below the
 * host, or was, is not the editor's.
 */
const SCRIPT = `
mark=$1 program=$2 automation=$3 host=$4 keeps=$5
groups=
while read -r sign group; do
  [ "$sign" = rest ] && exit 0
  [ "$sign" = keep ] && keeps="$keeps $group" && continue
  rest=
  for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
  groups=$rest
  [ "$sign" = - ] || groups="$groups $group"
done
marked() {
  [ -d /proc/self ] || return
  for file in $(grep -ls "$1" /proc/[0-9]*/environ); do
    file=\${file%/environ}
    browser "$file" || kept "\${file#/proc/}" || echo "\${file#/proc/}"
  done
}
kept() {
  up=$1
  while [ -n "$keeps" ] && [ "\${up:-0}" -gt 1 ]; do
    case " $keeps " in *" $up "*) return 0 ;; esac
    [ "$up" = "$host" ] && return 1
    up=$(grep -s ^PPid: "/proc/$up/status" | tr -dc 0-9)
  done
  return 1
}
browser() {
  readlink "$1/exe" | grep -qE -e "$program" || return 1
  ! tr '\\0' ' ' <"$1/cmdline" | grep -qE -e "$automation"
}
end() {
  for g in $groups; do kill -s "$1" -- "-$g"; done
  for p in $(marked "$mark"); do kill -s "$1" "$p"; done
}
end TERM
sleep 1
end KILL
`;

/**
 * Sees to it that process groups do not outlive the extension host, even when it is killed and can do
 * nothing itself: a tiny shell that holds a pipe to us. It runs only while there is something to guard.
 * POSIX only: Windows has no process groups, and a job object would need native code.
 */
export class OrphanGuard {
  private shell: ChildProcess | undefined;
  private guarded = 0;
  private kept = '';

  /** @param group absent for what is known by its mark alone */
  guard(group?: number): void {
    if (process.platform === 'win32') return;
    this.guarded += 1;
    this.shell ??= this.start();
    if (group !== undefined) this.shell.stdin?.write(`+ ${group}\n`);
  }

  /** The process lives on, and what is below it, whatever its mark says. */
  keep(pid: number): void {
    const line = `keep ${pid}\n`;
    this.kept += line;
    this.shell?.stdin?.write(line);
  }

  /** Nothing is left of this group: its number may come to mean another. */
  release(group?: number): void {
    if (process.platform === 'win32') return;
    this.guarded -= 1;
    if (group !== undefined) this.shell?.stdin?.write(`- ${group}\n`);
    if (this.guarded > 0) return;
    this.shell?.stdin?.end('rest\n');
    this.shell = undefined;
  }

  private start(): ChildProcess {
    const mark = `${MARK_VARIABLE}=${HOST_MARK}`;
    const host = [String(process.pid), editorProcesses().join(' ')];
    const values = [mark, BROWSER_PROGRAM, BROWSER_AUTOMATION, ...host];
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', ...values], {
      // In a session of its own, so that what ends our process group does not end it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    // Without it, things are as they would be anyway.
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    if (this.kept !== '') shell.stdin.write(this.kept);
    shell.unref();
    (shell.stdin as Partial<NodeJS.RefCounted>).unref?.();
    return shell;
  }
}
