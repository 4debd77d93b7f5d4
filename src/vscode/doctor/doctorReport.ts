import { visibleText } from '../../base/visibleText';
import type { DoctorSection, Finding } from '../../shared/doctorPage';

const SIGNS: Readonly<Record<Finding['level'], string>> = { ok: '✔', note: '·', problem: '✘' };

/** Findings as Markdown, with `~` for the user's folder and `…` for its name. */
export function doctorReport(
  version: string,
  sections: readonly DoctorSection[],
  home: string,
): string {
  const user = home.split(/[\\/]/).at(-1) ?? '';
  const redacted = (text: string): string => {
    const short = text.replaceAll(home, '~');
    return user.length > 2 ? short.replaceAll(user, '…') : short;
  };
  const lines = sections.flatMap(({ title, findings }) => [
    `## ${title}`,
    '',
    ...findings.flatMap(({ level, title: text, detail }) => [
      `- ${SIGNS[level]} ${text}`,
      ...(detail === undefined ? [] : detail.split('\n').map(line => `      ${line}`)),
    ]),
    '',
  ]);
  return redacted(visibleTextOf([`# Parley ${version}`, '', ...lines])).trim() + '\n';
}

function visibleTextOf(lines: readonly string[]): string {
  return lines.map(line => visibleText(line)).join('\n');
}
