import { execFileSync } from 'node:child_process';

/** Runs a program that may not be there, or not be allowed. @returns whether it did what it was asked */
export function ran(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
