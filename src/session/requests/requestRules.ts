import type { FileScope, PermissionRules } from '../ports';
import { absolute } from '../rules/commandPieces';
import { decide, type Verdict } from '../rules/decide';
import type { PermissionRule } from '../rules/rule';
import { suggestRules, type Suggestion } from '../rules/suggestRules';
import { subjectOf } from '../rules/subjectOf';
import type { FilePiece, Subject } from '../rules/subject';
import type { AskedCall } from '../state/permission';
import type { Contents } from '../translate/contents';
import { pathRisks, type PathRisk } from './pathRisks';
import type { PathPlace } from './resolvedPath';

export interface RequestRulesParts {
  readonly rules: PermissionRules;
  readonly contents: Contents;
  readonly scope: FileScope & { readonly cwd: string; readonly home?: string };
  /** What the links in an absolute path lead to. */
  readonly realPath: (path: string) => string;
}

/** Rules that would answer a request. */
export interface RuleSuggestions {
  readonly suggestions: readonly Suggestion[];
  /** The rules because of which it is asked about. */
  readonly against: readonly PermissionRule[];
}

/** A file as it is asked about, read and written. */
export interface NamedFile {
  readonly path: string;
  readonly isOutside: boolean;
}

/** The user's rules as they count for one chat. */
export class RequestRules {
  constructor(private readonly parts: RequestRulesParts) {}

  get onDidChange() {
    return this.parts.rules.onDidChange;
  }

  /** Where paths are meant from now: folders are opened and closed while a chat goes on. */
  get place(): PathPlace {
    const { scope, rules, realPath } = this.parts;
    const { cwd, roots, home } = scope;
    return {
      cwd,
      roots: [...new Set([...roots, ...roots.map(realPath)])],
      ...(home !== undefined && { home }),
      protectedFiles: rules.current.protectedFiles,
    };
  }

  verdictOf(asked: AskedCall): Verdict {
    return this.decided(this.subjectOf(asked));
  }

  suggestionsFor(asked: AskedCall): RuleSuggestions {
    const { place } = this;
    const subject = this.subjectOf(asked);
    const { current } = this.parts.rules;
    const made = (['allow', 'reject'] as const).map(decision =>
      suggestRules(subject, decision, current, place),
    );
    const { rules } = this.decided(subject);
    return {
      suggestions: made.flat(),
      against: rules.filter(({ decision }) => decision !== 'allow'),
    };
  }

  /** What is to be known of files, whatever they are called. The worse of their names counts. */
  risks(): (path: string) => PathRisk {
    const { place } = this;
    const riskOf = pathRisks(place);
    return path => {
      // As given it says more: of blanks at its end, say.
      const names = [path, ...this.namesOf(absolute(path, place.cwd))].map(riskOf);
      const runs = names.map(each => each.runs).find(each => each !== undefined);
      const outside = names.some(each => each.outside);
      return { outside, ...(runs && { runs }) };
    };
  }

  /**
   * Whether the agent may read or write the file without a request that is answered: no rule speaks against it, and it
   * is not asked about in any case. What a rule allows of that is answered by the rule, and so is written down.
   */
  isFileFree(kind: 'read' | 'edit', path: string): boolean {
    const { rules } = this.decided(this.fileSubject(kind, path));
    if (rules.some(rule => rule.decision !== 'allow')) return false;
    const { outside, runs } = this.risks()(path);
    return !outside && (kind === 'read' || runs === undefined);
  }

  /** What an agent names: outside the workspace's folders what its links lead to, so that the user sees what is meant. */
  namedFile(given: string): NamedFile {
    const riskOf = this.risks();
    if (!riskOf(given).outside) return { path: given, isOutside: false };
    const path = this.parts.realPath(given);
    return { path, isOutside: riskOf(path).outside };
  }

  isFileRejected(kind: 'read' | 'edit', path: string): boolean {
    return this.decided(this.fileSubject(kind, path)).decision === 'reject';
  }

  /** Whether the agent may run it without a request that is answered: as of files, for all that it writes. */
  isCommandFree(asked: AskedCall): boolean {
    const subject = this.subjectOf(asked);
    const { rules } = this.decided(subject);
    if (rules.some(rule => rule.decision !== 'allow')) return false;
    const riskOf = this.risks();
    return !subject.pieces.some(
      piece =>
        piece.what === 'file' &&
        piece.isWrite &&
        piece.names.map(riskOf).some(({ outside, runs }) => outside || runs !== undefined),
    );
  }

  private decided(subject: Subject): Verdict {
    return decide(subject, this.parts.rules.current, this.place);
  }

  private subjectOf(asked: AskedCall): Subject {
    return subjectOf(asked, this.parts.contents, this.place, path => this.namesOf(path));
  }

  private fileSubject(kind: 'read' | 'edit', path: string): Subject {
    const names = this.namesOf(absolute(path, this.place.cwd));
    const piece: FilePiece = { what: 'file', kind, isWrite: kind === 'edit', names };
    return { title: '', kind, pieces: [piece], isKnown: true };
  }

  /** The file as given, and what its links lead to: both from the workspace's folders as these are called. */
  private namesOf(file: string): readonly string[] {
    const { scope, realPath } = this.parts;
    const names = [file, realPath(file)].map(name => {
      for (const root of scope.roots) {
        const real = realPath(root);
        if (name === real || name.startsWith(`${real}/`)) return root + name.slice(real.length);
      }
      return name;
    });
    return [...new Set(names)];
  }
}
