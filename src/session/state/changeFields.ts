/** Names of the input fields in which agents' edit tools describe a change to a file. */

/** A patch. */
export const PATCHES = [
  ...['input', 'patch', 'patchText', 'patch_text'],
  ...['diff', 'unified_diff', 'unifiedDiff'],
];
/** The file; the first that is there counts, as of those below. */
export const PATHS = [
  ...['file_path', 'filePath', 'filepath', 'path', 'fileName', 'file', 'absolute_path'],
];
/** The text that is replaced. */
export const BEFORE = ['old_string', 'oldString', 'old_str', 'oldStr', 'oldText', 'old_text'];
/** What it is replaced by. */
export const AFTER = ['new_string', 'newString', 'new_str', 'newStr', 'newText', 'new_text'];
/** The text of a whole file. */
export const WHOLE = ['content', 'contents', 'file_text', 'fileText', 'text'];
/** Changes, each with such fields of its own. */
export const LISTS = ['edits', 'changes'];
/** How often the text is replaced. */
export const REPEATS = ['replace_all', 'replaceAll', 'expected_replacements'];
