import * as path from 'node:path';

/** Whether `file` is somewhere below `folder`; both absolute. Of names such as `..env` the dots mean nothing. */
export function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  if (relative === '' || relative === '..' || path.isAbsolute(relative)) return false;
  return !relative.startsWith(`..${path.sep}`);
}
