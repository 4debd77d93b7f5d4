const NAMES: Readonly<Record<string, string>> = {
  bash: 'Shell',
  console: 'Shell',
  sh: 'Shell',
  shell: 'Shell',
  shellsession: 'Shell',
  zsh: 'Shell',
  c: 'C',
  cs: 'C#',
  csharp: 'C#',
  cpp: 'C++',
  css: 'CSS',
  diff: 'Diff',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsx: 'JSX',
  markdown: 'Markdown',
  md: 'Markdown',
  mermaid: 'Mermaid',
  py: 'Python',
  python: 'Python',
  rs: 'Rust',
  rust: 'Rust',
  sql: 'SQL',
  svg: 'SVG',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

/** Names of fences and endings of files that mean a language known under another. */
const ALIASES: Readonly<Record<string, string>> = {
  cc: 'cpp',
  cjs: 'javascript',
  console: 'bash',
  cts: 'typescript',
  cxx: 'cpp',
  h: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  jsonc: 'json',
  jsx: 'javascript',
  mjs: 'javascript',
  mts: 'typescript',
  rs: 'rust',
  sh: 'bash',
  shellsession: 'bash',
  tsx: 'typescript',
  zsh: 'bash',
};

/** The name people know a language by; the word as written when it is not one of ours. */
export function languageName(lang: string): string {
  return NAMES[lang.toLowerCase()] ?? lang;
}

/** What the highlighter calls the language of a fence or of a file's ending; undefined for one that we do not have. */
export function languageId(word: string): string | undefined {
  const lower = word.toLowerCase();
  const id = Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : lower;
  return id !== undefined && Object.hasOwn(NAMES, id) ? id : undefined;
}

/** As `languageId`, by the name of a file. */
export function languageOfFile(path: string): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1];
  return ending === undefined ? undefined : languageId(ending);
}
