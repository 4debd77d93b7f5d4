import * as l10n from '@vscode/l10n';
import { dateText } from '../../src/base/language';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `0:42`, `12:05`, `1:02:03`: how long something has run. */
export function clockTime(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** When something was, for a list: minutes, hours, a day's name or a date. */
export function whenText(at: number, now: number): string {
  const age = now - at;
  if (age < MINUTE) return l10n.t('Now');
  if (age < HOUR) return l10n.t('{0} min ago', Math.floor(age / MINUTE));
  const days = daysBetween(at, now);
  if (days === 0) return l10n.t('{0} h ago', Math.floor(age / HOUR));
  if (days === 1) return l10n.t('Yesterday');
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return dateText(at, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  });
}

/** Calendar days from `at` to `now`, by the user's clock. */
export function daysBetween(at: number, now: number): number {
  const midnight = (time: number) => new Date(time).setHours(0, 0, 0, 0);
  return Math.round((midnight(now) - midnight(at)) / DAY);
}
