import { agentsThatUse } from '../realAgents/seenRecord';
import type { ConformanceGroup } from './conformanceCase';

/** The page of a version: what is done with each thing, and who was seen to use it. */
export function table(
  head: readonly string[],
  groups: readonly ConformanceGroup[],
  version: 'v1' | 'v2',
): string {
  const sections = groups.flatMap(({ title, cases }) => [
    '',
    `## ${title}`,
    '',
    ...rows(title, cases, version),
  ]);
  return `${[...head, ...sections].join('\n')}\n`;
}

/** With who was seen to use it: a real agent, or only the one that the case starts. */
function rows(
  title: string,
  cases: ConformanceGroup['cases'],
  version: 'v1' | 'v2',
): readonly string[] {
  const row = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  // What Parley declares is sent to every agent.
  if (title.startsWith('What Parley declares')) {
    return ['| | |', '| --- | --- |', ...cases.map(({ name, does }) => row([`\`${name}\``, does]))];
  }
  return [
    '| | | seen from |',
    '| --- | --- | --- |',
    ...cases.map(({ name, does }) =>
      row([`\`${name}\``, does, agentsThatUse(version, title, name) ?? 'a test agent']),
    ),
  ];
}
