import * as vscode from 'vscode';
import { comparable, hitsIn, rankOf } from '../../base/fuzzy';
import type { ContextAttachments } from '../context/contextAttachments';
import type { Candidate } from './candidate';

const MAX_SYMBOLS = 15;

interface FoundSymbol {
  readonly name: string;
  readonly kind: vscode.SymbolKind;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** The symbols of the open file, and those of the workspace. */
export async function symbolMentions(
  text: string,
  active: vscode.Uri | undefined,
  attachments: ContextAttachments,
): Promise<readonly Candidate[]> {
  const [here, everywhere] = await Promise.all([
    active ? documentSymbols(active) : [],
    workspaceSymbols(text),
  ]);
  const wanted = comparable(text);
  const found = new Map<string, { rank: number; candidate: Candidate }>();
  for (const symbol of [...here, ...everywhere]) {
    const name = plainName(symbol.name);
    const lower = comparable(name);
    const rank = rankOf(lower, name, wanted, 0);
    const candidate = symbolMention(symbol, name, hitsIn(lower, wanted, 0), attachments);
    if (rank === undefined || found.has(candidate.mention)) continue;
    found.set(candidate.mention, { rank, candidate });
  }
  return [...found.values()]
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_SYMBOLS)
    .map(({ candidate }) => candidate);
}

function symbolMention(
  { kind, uri, range }: FoundSymbol,
  name: string,
  hits: readonly number[],
  attachments: ContextAttachments,
): Candidate {
  const file = vscode.workspace.asRelativePath(uri);
  const lines = { start: range.start.line + 1, end: range.end.line + 1 };
  return {
    icon: iconOf(kind),
    name,
    hits,
    detail: file,
    mention: `@${file}#${name}`,
    attachment: () =>
      attachments.of({
        kind: 'symbol',
        label: name,
        title: vscode.l10n.t('{0} in {1}, lines {2} to {3}', name, file, lines.start, lines.end),
        uri: uri.toString(),
        lines,
      }),
  };
}

async function documentSymbols(uri: vscode.Uri): Promise<readonly FoundSymbol[]> {
  const symbols = await ask<vscode.DocumentSymbol | vscode.SymbolInformation>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const flat = (list: typeof symbols): readonly FoundSymbol[] =>
    list.flatMap(symbol =>
      'location' in symbol
        ? [{ ...placed(symbol), name: symbol.name, kind: symbol.kind }]
        : [
            { name: symbol.name, kind: symbol.kind, uri, range: symbol.range },
            ...flat(symbol.children),
          ],
    );
  return flat(symbols);
}

async function workspaceSymbols(text: string): Promise<readonly FoundSymbol[]> {
  const symbols = await ask<vscode.SymbolInformation>(
    'vscode.executeWorkspaceSymbolProvider',
    text,
  );
  return symbols
    .filter(({ location }) => location.uri.scheme === 'file')
    .map(symbol => ({ ...placed(symbol), name: symbol.name, kind: symbol.kind }));
}

function placed({ location }: vscode.SymbolInformation): Pick<FoundSymbol, 'uri' | 'range'> {
  return { uri: location.uri, range: location.range };
}

/** What the providers of symbols answer; nothing where there is none or it fails. */
async function ask<T>(command: string, about: unknown): Promise<readonly T[]> {
  try {
    return (await vscode.commands.executeCommand<readonly T[] | undefined>(command, about)) ?? [];
  } catch {
    return [];
  }
}

/** Without the parameters that some providers write behind it. */
function plainName(name: string): string {
  return name.replace(/\s*\([^]*$/, '').trim() || name;
}

const ICONS: Readonly<Partial<Record<vscode.SymbolKind, string>>> = {
  [vscode.SymbolKind.Class]: 'symbol-class',
  [vscode.SymbolKind.Interface]: 'symbol-interface',
  [vscode.SymbolKind.Enum]: 'symbol-enum',
  [vscode.SymbolKind.EnumMember]: 'symbol-enum-member',
  [vscode.SymbolKind.Function]: 'symbol-method',
  [vscode.SymbolKind.Method]: 'symbol-method',
  [vscode.SymbolKind.Constructor]: 'symbol-method',
  [vscode.SymbolKind.Constant]: 'symbol-constant',
  [vscode.SymbolKind.Variable]: 'symbol-variable',
  [vscode.SymbolKind.Field]: 'symbol-field',
  [vscode.SymbolKind.Property]: 'symbol-property',
  [vscode.SymbolKind.Module]: 'symbol-namespace',
  [vscode.SymbolKind.Namespace]: 'symbol-namespace',
  [vscode.SymbolKind.Struct]: 'symbol-structure',
  [vscode.SymbolKind.String]: 'symbol-string',
};

function iconOf(kind: vscode.SymbolKind): string {
  return ICONS[kind] ?? 'symbol-misc';
}
