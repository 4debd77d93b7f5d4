import { createHash } from 'node:crypto';

/** The part of VS Code's Memento that is needed. */
export interface AnswerStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** The user's answers about what a workspace brings, by a hash of it: once it changes it has no answer. */
export class RememberedAnswers {
  constructor(
    private readonly storage: AnswerStorage,
    private readonly key: string,
  ) {}

  /** @param subject plain JSON */
  of(subject: unknown): boolean | undefined {
    const answers = this.answers();
    const hash = keyOf(subject);
    return Object.hasOwn(answers, hash) ? answers[hash] : undefined;
  }

  async remember(subjects: readonly unknown[], answer: boolean): Promise<void> {
    const fresh = Object.fromEntries(subjects.map(subject => [keyOf(subject), answer]));
    await this.storage.update(this.key, { ...this.answers(), ...fresh });
  }

  async forget(): Promise<void> {
    await this.storage.update(this.key, undefined);
  }

  private answers(): Readonly<Record<string, boolean>> {
    return (this.storage.get(this.key) ?? {}) as Readonly<Record<string, boolean>>;
  }
}

function keyOf(subject: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(subject)))
    .digest('hex');
}

/** The order of names in an object says nothing. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // Pairs, because an object puts names that are numbers first, and `__proto__` nowhere.
  return { object: entries.map(([name, item]) => [name, sorted(item)]) };
}
