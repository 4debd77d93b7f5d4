import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { isWaiting, type FormValues } from '../../src/session/state/elicitation';
import { lastOfCall } from '../../src/session/state/partIndex';
import type { Part, SessionState, Terminal, Turn } from '../../src/session/state/state';
import { askView } from './askView';
import { holderOf, terminalOf, type ViewContext } from './context';
import { turnView } from './turnView';
import { TURNS } from './window/places';

/** About as high as a turn is, in pixels. */
const TURN_GUESS = 240;
/** So many at the end are near. */
const NEAR_TURNS = 5;

/** The turns near the view, and below them what belongs to none. */
export function turnList(
  context: ViewContext,
  filled: Readonly<Record<string, FormValues>> | undefined,
): unknown {
  const { session, windows } = context;
  const rows = rowsOf(session);
  const last = rows.at(-1)?.turn;
  return html`${windows.draw(TURNS, rows, { guess: TURN_GUESS, tail: true }, ({ turn }, index) => {
    const near = rows.length - index <= NEAR_TURNS;
    const place = { latest: turn === last, near, live: turn === session.activeTurn };
    if (place.latest) return turnView(context, turn, place);
    return guard(
      [
        turn,
        place.near,
        place.live,
        context.theme,
        context.folds.version,
        windows.version,
        context.edits.get(turn.id) !== undefined && session.draft.attachments,
        ...openTerminals(context, turn),
        ...requestsIn(context, turn),
      ],
      () => turnView(context, turn, place),
    );
  })}
  ${repeat(
    homeless(session),
    request => request.id,
    request =>
      guard(
        [
          request,
          session.permissions,
          context.isSettled,
          context.theme,
          context.folds.revision(request.id),
        ],
        () => askView(context, request),
      ),
  )}
  ${questions(session, filled)}`;
}

interface TurnRow {
  readonly key: string;
  readonly turn: Turn;
}

let finished: { readonly turns: readonly Turn[]; readonly rows: readonly TurnRow[] } | undefined;

function rowsOf(session: SessionState): readonly TurnRow[] {
  const row = (turn: Turn): TurnRow => ({ key: turn.id, turn });
  if (finished?.turns !== session.turns) {
    finished = { turns: session.turns, rows: session.turns.map(row) };
  }
  return session.activeTurn ? [...finished.rows, row(session.activeTurn)] : finished.rows;
}

function questions(
  { elicitations, agent, permissions }: SessionState,
  filled: Readonly<Record<string, FormValues>> | undefined,
): unknown {
  if (elicitations.length === 0) return nothing;
  const first = permissions.length === 0 ? elicitations.find(isWaiting)?.id : undefined;
  return repeat(
    elicitations,
    request => request.id,
    request =>
      html`<parley-question
        .request=${request}
        .agentName=${agent.name}
        .first=${request.id === first}
        .filled=${filled?.[request.id]}
      ></parley-question>`,
  );
}

function requestsIn(
  { session, isSettled }: ViewContext,
  { parts }: Pick<Turn, 'parts'>,
): readonly unknown[] {
  const { permissions, activeTurn } = session;
  const isHere = permissions.some(({ toolCallId }) => lastOfCall(parts, toolCallId) >= 0);
  return isHere ? [permissions, activeTurn, isSettled] : [];
}

/** Requests whose tool call is in no turn. */
function homeless(session: SessionState): SessionState['permissions'] {
  const { permissions } = session;
  if (permissions.length === 0) return permissions;
  return permissions.filter(({ toolCallId }) => !holderOf(session, toolCallId));
}

const knownTerminals = new WeakMap<readonly Part[], readonly string[]>();

/** Commands of an earlier turn that still run: their output goes on. */
function openTerminals(context: ViewContext, { parts }: Turn): readonly Terminal[] {
  let ids = knownTerminals.get(parts);
  if (!ids) {
    ids = parts.flatMap(part =>
      part.kind === 'tool'
        ? part.content.flatMap(each => (each.kind === 'terminal' ? [each.terminalId] : []))
        : [],
    );
    knownTerminals.set(parts, ids);
  }
  return ids.flatMap(id => {
    const terminal = terminalOf(context, id);
    return terminal && terminal.exit === undefined ? [terminal] : [];
  });
}
