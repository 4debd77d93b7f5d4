import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Deferred } from '../../../src/base/deferred';
import type { FromView, ToView } from '../../../src/shared/messages';
import { parseQuery, type AnswerOf } from '../../../src/shared/queries';
import { QueryResponder } from '../../../src/shared/queryResponder';
import { QueryClient } from '../../../webview/queryClient';

type Answer = AnswerOf<'existingLinks'>;
const ASK = { type: 'existingLinks', links: ['a.ts'] } as const;

/** A host and its page; each load of the page is a new one. */
class World {
  readonly asked: { readonly signal: AbortSignal; readonly chatId: string | undefined }[] = [];
  readonly answers: Deferred<Answer>[] = [];
  readonly problems: string[] = [];
  readonly posted: ToView[] = [];
  page: QueryClient;
  private loads = 0;

  readonly responder = new QueryResponder(
    message => {
      this.posted.push(message);
      this.page.accept(message);
      return Promise.resolve(true);
    },
    {
      existingLinks: (_query, { chatId, signal }) => {
        this.asked.push({ chatId, signal });
        const answer = new Deferred<Answer>();
        this.answers.push(answer);
        return answer.promise;
      },
      heldMatches: () => Promise.resolve({ found: [] }),
      searchChats: () => Promise.resolve({ found: [] }),
      otherFolders: () => Promise.resolve({ folders: [] }),
      mentions: () => Promise.resolve({ groups: [] }),
      slowMentions: () => Promise.resolve({ groups: [] }),
      image: () => Promise.resolve({}),
      pastedCode: () => Promise.resolve({}),
    },
    problem => this.problems.push(problem),
  );

  constructor() {
    this.page = this.load();
  }

  load(): QueryClient {
    this.responder.clear();
    this.loads += 1;
    this.page = new QueryClient(message => this.receive(message), `page${this.loads}`);
    return this.page;
  }

  private receive(message: FromView): void {
    if (message.type === 'query') this.responder.receive(message.id, message.query, message.chatId);
    if (message.type === 'cancelQuery') this.responder.cancel(message.id);
  }
}

describe('queries of a page', () => {
  test('are answered by id, in whatever order', async () => {
    const world = new World();
    const first = world.page.ask(ASK, 'chat');
    const second = world.page.ask(ASK);
    world.answers[1]?.resolve({ existing: ['second'] });
    assert.deepEqual(await second, { existing: ['second'] });
    world.answers[0]?.resolve({ existing: ['first'] });
    assert.deepEqual(await first, { existing: ['first'] });
    assert.deepEqual(
      world.asked.map(({ chatId }) => chatId),
      ['chat', undefined],
    );
  });

  test('that fail have no answer, and the host says why in its log', async () => {
    const world = new World();
    const answer = world.page.ask(ASK);
    world.answers[0]?.reject(new Error('broken'));
    await assert.rejects(answer);
    assert.deepEqual(world.problems, ['"existingLinks" failed']);
  });

  test('end where they are cancelled, at both ends', async () => {
    const world = new World();
    const controller = new AbortController();
    const answer = world.page.ask(ASK, undefined, controller.signal);
    controller.abort();
    await assert.rejects(answer);
    assert.equal(world.asked[0]?.signal.aborted, true);
    world.answers[0]?.resolve({ existing: [] });
    const next = world.page.ask(ASK);
    world.answers[1]?.resolve({ existing: ['b'] });
    assert.deepEqual(await next, { existing: ['b'] });
    assert.equal(world.posted.length, 1);
    await assert.rejects(world.page.ask(ASK, undefined, controller.signal));
    assert.equal(world.asked.length, 2);
  });

  test('of a page that was loaded again are not answered', async () => {
    const world = new World();
    void world.page.ask(ASK);
    const { posted } = world;
    const page = world.load();
    assert.equal(world.asked[0]?.signal.aborted, true);
    const own = page.ask(ASK);
    world.answers[0]?.resolve({ existing: ['of before'] });
    world.answers[1]?.resolve({ existing: ['own'] });
    assert.deepEqual(await own, { existing: ['own'] });
    assert.equal(posted.length, 1);
  });

  test('are answered once, and never more than a page may have', async () => {
    const world = new World();
    const all = Array.from({ length: 80 }, () => world.page.ask(ASK).catch(() => 'refused'));
    const results = Promise.all(all);
    for (const answer of world.answers) answer.resolve({ existing: [] });
    assert.equal((await results).filter(result => result === 'refused').length, 30);
    world.responder.receive('again', ASK, undefined);
    world.responder.receive('again', ASK, undefined);
    assert.equal(world.asked.length, 51);
  });
});

test('only what the table has is a query', () => {
  assert.deepEqual(parseQuery({ ...ASK, more: 1 }), ASK);
  for (const value of [
    undefined,
    null,
    'existingLinks',
    { type: 'toString' },
    { type: 'send', text: '' },
    { type: 'existingLinks' },
    { type: 'existingLinks', links: 'a.ts' },
    { type: 'existingLinks', links: ['a.ts', 1] },
  ]) {
    assert.equal(parseQuery(value), undefined);
  }
});
