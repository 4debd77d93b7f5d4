import type { Json, JsonObject } from '../../traffic/recording';

/** Ids that the client makes are other ones than in the recording. */
export class RecordedIds {
  private readonly requests = new Map<string, Json>();
  private readonly texts = new Map<string, string>();

  /** @param recorded the id of a request of the client's, and what it is now */
  pair(recorded: Json, now: Json): void {
    this.requests.set(JSON.stringify(recorded), now);
  }

  requestNow(recorded: Json | undefined): Json {
    return this.requests.get(JSON.stringify(recorded)) ?? recorded ?? null;
  }

  /** A name that the client has made: of a terminal. */
  rename(recorded: string, now: string): void {
    this.texts.set(recorded, now);
  }

  /** A recorded message of the agent's with the names that things have now. */
  present(message: JsonObject): JsonObject {
    return this.texts.size === 0 ? message : this.renamed(message);
  }

  private renamed(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        inner === undefined ? undefined : this.renamedValue(inner),
      ]),
    );
  }

  private renamedValue(value: Json): Json {
    if (typeof value === 'string') return this.texts.get(value) ?? value;
    if (typeof value !== 'object' || value === null) return value;
    return isList(value) ? value.map(item => this.renamedValue(item)) : this.renamed(value);
  }
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}
