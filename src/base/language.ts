/** Numbers and dates in the language of the texts, which need not be the machine's. */

let language = 'en';
/** By digits and `always`: making a format costs more than using it. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * @param tag the language of the texts, as VS Code names it: `de`, `pt-br`
 * @param preferred languages of the machine: the first of the same language says the region
 */
export function useLanguage(tag: string, preferred: readonly string[]): void {
  const wanted = tag.toLowerCase();
  formats.clear();
  const region = preferred.find(other => `${other.toLowerCase()}-`.startsWith(`${wanted}-`));
  try {
    language = Intl.getCanonicalLocales(region ?? tag)[0] ?? 'en';
  } catch {
    // A tag that Intl does not know: texts may still be in it.
    language = 'en';
  }
}

/** @param digits after the point, at most and, with `always`, at least */
export function numberText(value: number, digits = 0, always = false): string {
  const key = `${digits}${always}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, {
      maximumFractionDigits: digits,
      minimumFractionDigits: always ? digits : 0,
    });
    formats.set(key, format);
  }
  return format.format(value);
}

/** @throws RangeError for a currency that is no code of ISO 4217 */
export function moneyText(amount: number, currency: string, digits: number): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** @param time milliseconds since 1970 */
export function dateText(time: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(time);
}
