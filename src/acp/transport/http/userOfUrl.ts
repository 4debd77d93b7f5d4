/**
 * A user named in the address becomes the header that says so: HTTP/2 does not send it by itself.
 * @param headers names are in small letters
 */
export function withoutUser(
  url: URL,
  headers: Readonly<Record<string, string>>,
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  if ('authorization' in headers || (url.username === '' && url.password === ''))
    return { url: bare, headers };
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(user).toString('base64')}`;
  return { url: bare, headers: { ...headers, authorization } };
}
