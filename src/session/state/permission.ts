/** A request for permission: what was asked, as it was shown, and whether it may be allowed. Pure. */
import type { Preview } from './content';
import type { CutField, ToolContent, ToolLocation } from './state';

/** The call that a request is about, as it was when it was shown. */
export interface AskedCall {
  readonly title: string;
  /** ACP's ToolKind, or whatever the agent sent. */
  readonly toolKind: string;
  readonly content: readonly ToolContent[];
  readonly locations: readonly ToolLocation[];
  readonly rawInput?: Preview;
  /** What the terminal that the content names runs. */
  readonly terminal?: { readonly command: string; readonly cwd?: string };
  /** What of it is not kept, so that it cannot be shown. */
  readonly cut?: readonly CutField[];
}

/** What of a call can be changed while a request for it waits. */
export type AskedField = 'title' | 'kind' | 'content' | 'locations' | 'input' | 'terminal';

/** What the host knows of a call when it is asked about, beside the call itself. */
export interface AskedFacts {
  /** What would be run, where the call names a command. */
  readonly command?: AskedCommand;
  /** Pieces that can do harm: of the command or, where there is none, of the title. */
  readonly risks?: readonly CommandRisk[];
  /** What of the input the card shows nowhere else, as JSON. */
  readonly restOfInput?: Preview;
  readonly warnings?: readonly PathWarning[];
  /** Warnings beyond those that are listed. */
  readonly moreWarnings?: number;
}

export interface AskedCommand {
  readonly line: string;
  /** The shell that runs `line`: `bash -lc`. */
  readonly shell?: string;
  /** As the agent named it; the session's folder when it did not. */
  readonly folder: string;
}

/** A piece of a command that can do harm. Positions are UTF-16 units. */
export interface CommandRisk {
  readonly start: number;
  readonly end: number;
  /** The words to name in the sentence: `rm -rf`. */
  readonly name: string;
  readonly kind: RiskKind;
}

export type RiskKind =
  | 'deletes'
  | 'administrator'
  | 'downloadedScript'
  | 'rewritesRemote'
  | 'discards'
  | 'disk'
  | 'permissions'
  | 'overwritesOutside'
  | 'publishes'
  | 'shutsDown';

/** A file that a request names, and why it matters. */
export interface PathWarning {
  readonly path: string;
  readonly outside: boolean;
  /** Why writing it leads to execution, if it does. */
  readonly runs?: RunsCode;
}

/** What runs a file once it is written, or `listed` among the user's protected files. */
export type RunsCode =
  'editor' | 'git' | 'scripts' | 'ci' | 'shell' | 'ssh' | 'agents' | 'startup' | 'listed';

/** What the card of a request shows. */
export interface ShownRequest {
  /** The tool call's title, or a sentence when it has none. */
  readonly title: string;
  readonly asked: AskedCall;
  readonly facts: AskedFacts;
}

export interface PermissionRequest extends ShownRequest {
  readonly id: string;
  readonly toolCallId: string;
  readonly options: readonly PermissionOption[];
  readonly requestedAt: number;
  /** What the request says beside its call. It stands in the content of what is asked, too. */
  readonly reason?: ToolContent;
  /** Counts what was shown under this id. An answer names the revision that it is about. */
  readonly revision: number;
  /** What the agent has changed since; it may be allowed once the user has reviewed it again. */
  readonly changed?: readonly AskedField[];
  /** What was asked before the agent changed it and the user reviewed it again, as it was shown. */
  readonly before?: ShownRequest;
  /** What does not fit the card and was opened in the editor, by ref. */
  readonly opened?: readonly string[];
}

/** A request as a `permissionRequested` action has it; without `facts` as version 0.1.0 wrote it down. */
export type NewRequest = Pick<
  PermissionRequest,
  'id' | 'toolCallId' | 'title' | 'options' | 'requestedAt' | 'reason'
> & { readonly facts?: AskedFacts };

export interface PermissionOption {
  /** As in the agent's request, where it may occur twice: an answer names an option by its place. */
  readonly optionId: string;
  readonly name: string;
  /** ACP's PermissionOptionKind; unknown kinds count as neither allow nor reject. */
  readonly kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always' | 'unknown';
}

/** What the user chose: the option at that place of the request as it was then shown. */
export interface PermissionAnswer {
  readonly requestId: string;
  readonly revision: number;
  /** Place in `options`, from 0. */
  readonly option: number;
}

export function isReject({ kind }: Pick<PermissionOption, 'kind'>): boolean {
  return kind === 'reject_once' || kind === 'reject_always';
}

/** Whether the option counts now. A refusal always does. */
export function mayChoose(request: PermissionRequest, option: PermissionOption): boolean {
  return isReject(option) || mayAllow(request);
}

/** Whether all that is asked can be seen, and is what the card shows. */
export function mayAllow(request: PermissionRequest): boolean {
  return !request.changed && !isCut(request) && unopened(request).length === 0;
}

/** Whether something of it is not kept, so that it cannot be shown. */
export function isCut({ asked, facts }: ShownRequest): boolean {
  // Some agents make a title of the command, which is shown whole.
  const isCommand = facts.command?.line.startsWith(asked.title.replace(/…$/, '')) === true;
  return (asked.cut ?? []).some(field => !(field === 'title' && isCommand));
}

/** Refs of what the card shows cut and the user has not opened. */
export function unopened(request: PermissionRequest): readonly string[] {
  const opened = new Set(request.opened);
  return cutRefs(request).filter(ref => !opened.has(ref));
}

/** Refs of what the card shows cut. */
export function cutRefs({ asked, facts }: ShownRequest): readonly string[] {
  const refs = asked.content.flatMap(item => {
    if (item.kind === 'diff') return item.diff.truncated ? [item.diff.ref] : [];
    if (item.kind === 'terminal') return [];
    const { block } = item;
    if (block.kind === 'text') return cutRef(block.text);
    if (block.kind === 'resource') return cutRef(block.text);
    return block.kind === 'unknown' ? cutRef(block.json) : [];
  });
  return [...new Set([...refs, ...cutRef(asked.rawInput), ...cutRef(facts.restOfInput)])];
}

function cutRef(preview: Preview | undefined): readonly string[] {
  return preview?.truncated ? [preview.ref ?? ''] : [];
}
