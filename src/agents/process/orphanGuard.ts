import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Reads `+ group` and `- group` lines; at the end of its input, which is the end of whoever wrote them,
 * it ends the groups that are left.
 */
const SCRIPT = `
groups=
while read -r sign group; do
  rest=
  for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done
  groups=$rest
  [ "$sign" = - ] || groups="$groups $group"
done
[ -n "$groups" ] || exit 0
for g in $groups; do kill -s TERM -- "-$g"; done
sleep 1
for g in $groups; do kill -s KILL -- "-$g"; done
`;

/**
 * Sees to it that process groups do not outlive the extension host, even when it is killed and can do
 * nothing itself: a tiny shell that holds a pipe to us. It runs only while there is something to guard.
 * POSIX only: Windows has no process groups, and a job object would need native code.
 */
export class OrphanGuard {
  private shell: ChildProcess | undefined;
  private guarded = 0;

  guard(group: number): void {
    if (process.platform === 'win32') return;
    this.guarded += 1;
    this.shell ??= this.start();
    this.shell.stdin?.write(`+ ${group}\n`);
  }

  /** Nothing is left of this group: its number may come to mean another. */
  release(group: number): void {
    if (process.platform === 'win32') return;
    this.guarded -= 1;
    this.shell?.stdin?.write(`- ${group}\n`);
    if (this.guarded > 0) return;
    this.shell?.stdin?.end();
    this.shell = undefined;
  }

  private start(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      // In a session of its own, so that what ends our process group does not end it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    });
    // Without it, things are as they would be anyway.
    shell.on('error', () => undefined);
    shell.stdin.on('error', () => undefined);
    shell.unref();
    (shell.stdin as Partial<NodeJS.RefCounted>).unref?.();
    return shell;
  }
}
