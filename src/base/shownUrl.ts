/** `url` as it may be shown: without user, password, query and fragment. */
export function shownUrl(url: string): string {
  return url.replace(/[?#].*/s, '').replace(/^(\w+:\/\/)?[^/]*@/, '$1');
}
