/** What the user's rules say of a request. Pure. */
import { pathRisks, type PathRisk } from '../requests/pathRisks';
import type { PathPlace } from '../requests/resolvedPath';
import { textFits } from '../../base/wildcards';
import { CommandPattern, type Fit } from './commandPattern';
import { areHarmless } from './openWords';
import { PathPattern } from './pathPattern';
import { isStricter, type Decision, type PermissionRule, type RuleSet } from './rule';
import { WRITES, type CommandPiece, type FilePiece, type Piece, type Subject } from './subject';

export interface Verdict {
  readonly decision: Decision;
  /** Those that decided; none where nothing but the default does. */
  readonly rules: readonly PermissionRule[];
}

const ASK: Verdict = { decision: 'ask', rules: [] };

/**
 * A request is allowed where each of its pieces is, and rejected where one of them is. What is not understood, and a
 * write that is always asked about, is asked about unless a rule names it exactly.
 */
export function decide(subject: Subject, rules: RuleSet, place: PathPlace): Verdict {
  const { user, workspace, protectedFiles } = rules;
  const scope = { ...place, protectedFiles };
  const own = verdictOf(subject, user, scope);
  const added = verdictOf(
    subject,
    workspace.filter(({ decision }) => decision !== 'allow'),
    scope,
  );
  // What a workspace says nothing of is as the user has it.
  return added.rules.length > 0 && isStricter(added.decision, own.decision) ? added : own;
}

type Place = PathPlace & Pick<RuleSet, 'protectedFiles'>;

function verdictOf(subject: Subject, rules: readonly PermissionRule[], place: Place): Verdict {
  const { pieces, isKnown } = subject;
  const compiled = rules.map(rule => new CompiledRule(rule, subject, place));
  const verdicts = pieces.flatMap(piece => {
    const verdict = firstOf(piece, compiled);
    const isMentioned = piece.what !== 'call' && piece.isMention;
    return verdict.decision === 'allow' && isMentioned ? [] : [{ ...verdict, isMentioned }];
  });
  const needed = verdicts.filter(({ rules: by, isMentioned }) => !isMentioned || by.length > 0);
  const strictest = needed.reduce<Decision>(
    (worst, { decision }) => (isStricter(decision, worst) ? decision : worst),
    'allow',
  );
  const isAllowed = strictest === 'allow' && isKnown && needed.length > 0;
  if (strictest === 'allow' && !isAllowed) return ASK;
  const deciding = needed.filter(({ decision }) => decision === strictest);
  return { decision: strictest, rules: [...new Set(deciding.flatMap(({ rules: by }) => by))] };
}

function firstOf(piece: Piece, rules: readonly CompiledRule[]): Verdict {
  for (const each of rules) {
    const { rule } = each;
    const fit = each.fits(piece);
    if (fit === 'yes') return { decision: rule.decision, rules: [rule] };
    // It may be meant: then the user decides.
    if (fit === 'maybe') return { decision: 'ask', rules: [rule] };
  }
  return ASK;
}

/** A rule that allows means only what it certainly does; one that forbids all that it may mean. */
class CompiledRule {
  private readonly command: CommandPattern | undefined;
  private readonly path: PathPattern | undefined;
  private readonly riskOf: (path: string) => PathRisk;

  constructor(
    readonly rule: PermissionRule,
    private readonly subject: Subject,
    private readonly place: Place,
  ) {
    this.command = rule.command === undefined ? undefined : CommandPattern.of(rule.command);
    this.path = rule.path === undefined ? undefined : new PathPattern(rule.path, place);
    this.riskOf = pathRisks(place);
  }

  fits(piece: Piece): Fit {
    if (this.rule.decision === 'allow') return this.allows(piece) ? 'yes' : 'no';
    const { kind, title } = this.rule;
    if (title !== undefined && !textFits(title, this.subject.title)) return 'no';
    const fit = this.forbids(piece);
    if (fit === 'no' || kind === undefined || kind === this.subject.kind) return fit;
    if (piece.what === 'command') return kind === 'execute' ? fit : 'no';
    if (piece.what === 'call') return 'no';
    if (piece.isMention) return OF_FILES.test(kind) && this.path ? 'maybe' : 'no';
    return piece.kind === kind ? fit : 'no';
  }

  private forbids(piece: Piece): Fit {
    const { command, path } = this;
    if (this.rule.command !== undefined) {
      if (piece.what !== 'command') return 'no';
      // One that cannot be read may mean anything.
      if (!command) return 'maybe';
      const fit = command.mayMean(piece);
      if (fit === 'no' || !path) return fit;
      const folders = piece.folders ?? [];
      if (folders.some(folder => path.mayFit(folder))) return fit;
      return piece.folders ? 'no' : 'maybe';
    }
    if (path) {
      if (piece.what !== 'file') return 'no';
      if (piece.isUncertain) return 'maybe';
      return piece.names.some(name => path.mayFit(name)) ? 'yes' : 'no';
    }
    // Of a kind or a title alone: what a request mentions is no request for it.
    return piece.what !== 'call' && piece.isMention ? 'no' : 'yes';
  }

  private allows(piece: Piece): boolean {
    const { title, kind } = this.rule;
    switch (piece.what) {
      case 'command':
        return kind === undefined || kind === 'execute' ? this.allowsCommand(piece) : false;
      case 'file':
        return kind === undefined || kind === piece.kind ? this.allowsFile(piece) : false;
      case 'call': {
        if (this.rule.command !== undefined || this.rule.path !== undefined) return false;
        if (kind !== undefined && kind !== this.subject.kind) return false;
        // Nobody knows what it writes.
        if (WRITES.has(this.subject.kind)) return false;
        // What runs is known by its title alone.
        if (this.subject.kind === 'execute') return title === this.subject.title;
        if (title === undefined) return kind !== undefined;
        return textFits(title, this.subject.title);
      }
    }
  }

  private allowsCommand(piece: CommandPiece): boolean {
    const { command, path, place, rule } = this;
    if (!command || piece.runsInput) return false;
    if (rule.title !== undefined && !textFits(rule.title, this.subject.title)) return false;
    if (path && !(piece.folders?.every(folder => path.fits(folder)) ?? false)) return false;
    const open = command.covers(piece);
    return open !== undefined && areHarmless(open, piece, piece.folders, place);
  }

  private allowsFile({ names, isWrite }: FilePiece): boolean {
    const { path, rule } = this;
    if (rule.command !== undefined || (!path && rule.kind === undefined)) return false;
    if (rule.title !== undefined && (!path || !textFits(rule.title, this.subject.title))) {
      return false;
    }
    const risks = names.map(name => this.riskOf(name));
    const isProtected = risks.some(({ outside, runs }) => outside || runs !== undefined);
    if (!path) return isWrite ? !isProtected : !risks.some(({ outside }) => outside);
    return (!isWrite || !isProtected || path.isExact) && names.every(name => path.fits(name));
  }
}

const OF_FILES = /^(?:read|edit|delete|move|search)$/;
