import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { NOTHING, plus } from '../../session/budget/amounts';
import { MEASURES, type Amounts } from '../../session/budget/measures';
import { whileLocked } from '../files/fileLock';

/** Days that are kept. */
const MAX_DAYS = 31;

/** What was spent day by day, in all windows: a small file that they share. */
export class DayFile {
  constructor(private readonly file: string) {}

  async read(day: string): Promise<Amounts> {
    return (await this.days()).get(day) ?? NOTHING;
  }

  /** @returns what the day comes to */
  async add(day: string, amounts: Amounts): Promise<Amounts> {
    await mkdir(path.dirname(this.file), { recursive: true });
    return whileLocked(this.file, async () => {
      const days = await this.days();
      const sum = plus(days.get(day) ?? NOTHING, amounts);
      days.set(day, sum);
      const kept = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MAX_DAYS);
      const next = `${this.file}.new`;
      await writeFile(next, JSON.stringify(Object.fromEntries(kept)), { mode: 0o600 });
      await rename(next, this.file);
      return sum;
    });
  }

  /** What cannot be read counts as nothing: a limit is for the user, who sees what is used. */
  private async days(): Promise<Map<string, Amounts>> {
    const text = await readFile(this.file, 'utf8').catch(() => '{}');
    try {
      const value = JSON.parse(text) as Readonly<Record<string, Partial<Amounts>>>;
      return new Map(Object.entries(value).map(([day, amounts]) => [day, checked(amounts)]));
    } catch {
      return new Map();
    }
  }
}

/** By the user's clock: `2026-11-30`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function checked(amounts: Partial<Amounts> | null): Amounts {
  const entries = MEASURES.map(measure => {
    const amount = amounts?.[measure];
    return [measure, typeof amount === 'number' && amount > 0 ? amount : 0];
  });
  return Object.fromEntries(entries) as Amounts;
}
