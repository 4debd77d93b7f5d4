import { after, before } from 'node:test';

/** What is thrown and handled nowhere while the tests of a file run; none of it ends the process. */
export function unhandled(): readonly unknown[] {
  const failures: unknown[] = [];
  const onFailure = (reason: unknown): number => failures.push(reason);
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  before(() => events.forEach(event => process.on(event, onFailure)));
  after(() => events.forEach(event => process.off(event, onFailure)));
  return failures;
}
