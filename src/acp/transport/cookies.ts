/** The cookies of one address, in memory: servers behind a balancer know by them where a session is. */
export class Cookies {
  private readonly values = new Map<string, string>();

  /** Takes in what a response sets (`Set-Cookie`) or takes back. */
  store(lines: readonly string[] = []): void {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';');
      const separator = pair.indexOf('=');
      const name = pair.slice(0, separator).trim();
      if (separator < 1 || name === '') continue;
      if (attributes.some(isOver)) this.values.delete(name);
      else this.values.set(name, pair.slice(separator + 1).trim());
    }
  }

  /** `headers` with the cookies. Those that the user has configured stand. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const key = Object.keys(headers).find(name => name.toLowerCase() === 'cookie') ?? 'cookie';
    const own = headers[key] ?? '';
    const ownNames = new Set(own.split(';').map(pair => pair.split('=', 1)[0]?.trim()));
    const kept = [...this.values].filter(([name]) => !ownNames.has(name));
    const pairs = kept.map(([name, value]) => `${name}=${value}`);
    const all = own === '' ? pairs : [own, ...pairs];
    return all.length === 0 ? { ...headers } : { ...headers, [key]: all.join('; ') };
  }
}

/** An attribute that takes a cookie back. */
function isOver(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=').map(text => text.trim());
  switch (name.toLowerCase()) {
    case 'max-age':
      return Number(value) <= 0;
    case 'expires':
      return Date.parse(value) <= Date.now();
    default:
      return false;
  }
}
