/** A path that is not as in HEAD. */
export interface StatusEntry {
  /** Relative to the root of the work tree, with forward slashes. */
  readonly path: string;
  readonly kind: 'changed' | 'untracked' | 'unmerged';
  readonly submodule: boolean;
}

/** What `git status --porcelain=v2 -z` says; lines of a kind not known are left out. */
export function parseStatus(output: string): readonly StatusEntry[] {
  const entries: StatusEntry[] = [];
  const records = output.split('\0');
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? '';
    switch (record[0]) {
      case '1':
        entries.push(entry(record, 8, 'changed'));
        break;
      case '2': {
        entries.push(entry(record, 9, 'changed'));
        // The path it was renamed from follows as a record of its own.
        const from = records[++index];
        if (from) entries.push({ path: from, kind: 'changed', submodule: false });
        break;
      }
      case 'u':
        entries.push(entry(record, 10, 'unmerged'));
        break;
      case '?':
        entries.push({ path: record.slice(2), kind: 'untracked', submodule: false });
        break;
      default:
    }
  }
  return entries.filter(({ path }) => path !== '');
}

/** The path is what follows `fields` fields; the third of them marks submodules. */
function entry(record: string, fields: number, kind: StatusEntry['kind']): StatusEntry {
  let at = 0;
  for (let count = 0; count < fields; count++) {
    const next = record.indexOf(' ', at);
    if (next < 0) return { path: '', kind, submodule: false };
    at = next + 1;
  }
  return { path: record.slice(at), kind, submodule: record.split(' ', 3)[2]?.[0] === 'S' };
}
