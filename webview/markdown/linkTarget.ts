/**
 * What a link in an agent's prose may point at: a web address, or a file as a path with an optional
 * `:line` or `#Lline`. Everything else (`javascript:`, `command:`, `data:` …) is no link at all.
 *
 * @returns the target for an `openLink` intent; undefined when the text must stay plain.
 */
export function linkTarget(href: string): string | undefined {
  const target = removeControls(href).trim();
  if (target === '' || target.startsWith('#') || target.startsWith('//')) return undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(target);
  if (!scheme) return /^[^:]*(?::\d+(?:[:-]\d+)*)?$/.test(target) ? target : undefined;
  const name = scheme[1]?.toLowerCase() ?? '';
  const rest = scheme[2] ?? '';
  if (name === 'http' || name === 'https') return rest.startsWith('//') ? target : undefined;
  if (name === 'file') return target;
  if (/^[a-z]$/.test(name) && /^[\\/]/.test(rest)) return target; // C:\folder
  if (/^\d+(?:[:-]\d+)*$/.test(rest)) return target; // retry.ts:24
  return undefined;
}

/** Browsers ignore control characters inside a scheme; so must the check. */
function removeControls(text: string): string {
  let clean = '';
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (code > 0x1f && code !== 0x7f) clean += char;
  }
  return clean;
}
