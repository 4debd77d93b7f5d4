import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ElicitationSchema } from '../../../src/acp/schema/schema';
import type { FormValue } from '../../../src/session/state/elicitation';
import { formOf, pageOf } from '../../../src/session/translate/elicitationForm';
import { checkAnswer } from '../../../src/session/state/formAnswer';
import { matchesPattern } from '../../../src/vscode/settings/patternTest';
import { recordingQuestions } from './questions';

type Property = NonNullable<ElicitationSchema['properties']>[string];

/** The problem with `value` for one property, or what would be sent. */
function check(property: Property, value: FormValue | undefined, required = false): unknown {
  const { fields } = formOf({ properties: { x: property }, ...(required && { required: ['x'] }) });
  const values = value === undefined ? {} : { x: value };
  const { content, problems } = checkAnswer(fields, values, matchesPattern);
  return problems['x'] ?? content;
}

test('texts: lengths are counted in characters, formats and patterns are checked', () => {
  const limits: Property = { type: 'string', minLength: 2, maxLength: 3 };
  assert.deepEqual(check(limits, '👍👍👍'), { x: '👍👍👍' });
  assert.equal(check(limits, 'a'), 'Enter at least 2 characters.');
  assert.equal(check(limits, 'abcd'), 'Enter at most 3 characters.');
  assert.deepEqual(check(limits, ''), {}, 'what is left empty is not sent');
  assert.equal(check(limits, '', true), 'Required.');
  assert.deepEqual(check({ type: 'string', pattern: '^a+$' }, 'aaa'), { x: 'aaa' });
  assert.match(String(check({ type: 'string', pattern: '^a+$' }, 'b')), /pattern \^a\+\$/);
  assert.deepEqual(check({ type: 'string', pattern: '(' }, 'b'), { x: 'b' }, 'no pattern at all');
  const formats: Record<string, { good: string[]; bad: string[] }> = {
    email: { good: ['a@b.example', 'a+b@localhost'], bad: ['a', 'a@', '@b', 'a b@c.d', 'a@b..c'] },
    uri: { good: ['https://x.example/a?b', 'urn:a:b'], bad: ['x.example', '/a', 'https://'] },
    date: { good: ['2026-02-28', '2024-02-29'], bad: ['2026-02-30', '28.2.2026', '2026-13-01'] },
    'date-time': {
      good: ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.5+01:00'],
      bad: ['2026-01-31', '2026-01-31T25:00:00Z', '2026-01-31T09:30:00'],
    },
  };
  for (const [format, { good, bad }] of Object.entries(formats)) {
    const property = { type: 'string', format } as Property;
    for (const text of good) assert.deepEqual(check(property, text), { x: text }, text);
    for (const text of bad) assert.equal(typeof check(property, text), 'string', text);
  }
});

test('a pattern that never comes to an end is given up', () => {
  // Without a limit this test would not end, either.
  assert.equal(matchesPattern('^(a+)+$', `${'a'.repeat(60)}!`), undefined);
});

test('numbers: typed text becomes a number, bounds are inclusive', () => {
  const integer: Property = { type: 'integer', minimum: 1, maximum: 3 };
  assert.deepEqual(check(integer, '3'), { x: 3 });
  assert.deepEqual(check(integer, 1), { x: 1 });
  assert.equal(check(integer, '1.5'), 'Enter a whole number.');
  assert.equal(check(integer, '4'), 'Enter a number of at most 3.');
  assert.equal(check(integer, 0), 'Enter a number of at least 1.');
  assert.equal(check(integer, 'three'), 'Enter a number.');
  assert.deepEqual(check(integer, ' '), {});
  assert.deepEqual(check({ type: 'number' }, '1e3'), { x: 1000 });
  assert.equal(check({ type: 'number' }, '', true), 'Required.');
});

test('yes or no, one of several, any of several', () => {
  assert.deepEqual(check({ type: 'boolean' }, false, true), { x: false });
  assert.equal(check({ type: 'boolean' }, undefined, true), 'Required.');
  const one: Property = { type: 'string', enum: ['a', 'b'] };
  assert.deepEqual(check(one, 'b'), { x: 'b' });
  assert.match(String(check(one, 'c')), /not one of the agent/);
  assert.equal(check(one, '', true), 'Choose one.');
  const many: Property = {
    type: 'array',
    items: {
      anyOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    },
    minItems: 1,
    maxItems: 1,
  };
  assert.deepEqual(check(many, ['a']), { x: ['a'] });
  assert.equal(check(many, ['a', 'b']), 'Choose at most 1.');
  assert.equal(check(many, [], true), 'Choose at least one.');
  assert.deepEqual(check(many, []), {}, 'nothing chosen where nothing needs to be');
  assert.match(String(check(many, ['z'])), /not one of the agent/);
  const free: Property = { type: 'array', items: { type: 'string', enum: ['a'] } };
  assert.deepEqual(check(free, [], true), { x: [] }, 'none is an answer where no least is asked');
});

test('a field of a type that is not known cannot be filled in, and says so when it is needed', () => {
  const odd = { type: '_colour', title: 'Colour' } as Property;
  assert.deepEqual(check(odd, 'red'), {});
  assert.match(String(check(odd, 'red', true)), /cannot be filled in here/);
});

test('what was not asked for is not sent, whatever its name', () => {
  const { fields } = formOf({ properties: { a: { type: 'string' } } });
  const values = JSON.parse('{"a":"1","b":"2","__proto__":"3","constructor":"4"}') as Record<
    string,
    FormValue
  >;
  assert.deepEqual(checkAnswer(fields, values).content, { a: '1' });
  const inherited = formOf({ properties: { toString: { type: 'string' } } }).fields;
  assert.deepEqual(checkAnswer(inherited, {}).content, {});
});

test("fields keep the agent's order, titles, defaults and limits", () => {
  const form = formOf({
    title: 'Colours',
    description: 'Two of them',
    required: ['b'],
    properties: {
      b: { type: 'string', oneOf: [{ const: 'r', title: 'Red', description: 'the red one' }] },
      a: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, default: ['y', 'gone'] },
      c: {
        type: 'string',
        title: 'Note',
        default: 'hm',
        maxLength: 9,
        pattern: 'h',
        format: 'uri',
      },
      d: { type: 'integer', minimum: 0, default: 2 },
      e: { type: 'boolean', default: true, description: 'Sure?' },
      f: { type: 'string', enum: ['p'], default: 'gone' },
    },
  });
  assert.deepEqual(form, {
    kind: 'form',
    title: 'Colours',
    description: 'Two of them',
    fields: [
      {
        name: 'b',
        label: 'b',
        required: true,
        kind: 'choice',
        choices: [{ value: 'r', label: 'Red', description: 'the red one' }],
      },
      {
        name: 'a',
        label: 'a',
        required: false,
        kind: 'choices',
        choices: [
          { value: 'x', label: 'x' },
          { value: 'y', label: 'y' },
        ],
        value: ['y'],
      },
      {
        name: 'c',
        label: 'Note',
        required: false,
        kind: 'text',
        value: 'hm',
        maxLength: 9,
        pattern: 'h',
        format: 'uri',
      },
      {
        name: 'd',
        label: 'd',
        required: false,
        kind: 'number',
        integer: true,
        value: 2,
        minimum: 0,
      },
      {
        name: 'e',
        label: 'e',
        description: 'Sure?',
        required: false,
        kind: 'boolean',
        value: true,
      },
      {
        name: 'f',
        label: 'f',
        required: false,
        kind: 'choice',
        choices: [{ value: 'p', label: 'p' }],
      },
    ],
  });
});

test('a page tells its host as it is asked for, and flags letters that may be lookalikes', () => {
  const { hostInLetters } = recordingQuestions();
  const page = (url: string) => pageOf(url, hostInLetters);
  assert.deepEqual(page('https://example.com:8443/a?b=c#d'), {
    kind: 'page',
    url: 'https://example.com:8443/a?b=c#d',
    host: 'example.com:8443',
    opened: false,
  });
  // Cyrillic а.
  assert.equal(page('https://ex\u0430mple.com/').host, 'xn--exmple-4nf.com');
  assert.equal(page('https://xn--exmple-4nf.com/').lookalike, 'ex\u0430mple.com');
  assert.equal(page('https://good.example@evil.example/').host, 'evil.example');
  for (const url of [
    'file:///etc/passwd',
    'vscode://x',
    'javascript:alert(1)',
    'data:text/html,x',
  ]) {
    assert.match(page(url).refused ?? '', /only http and https/, url);
  }
  assert.match(page('no address').refused ?? '', /not a web address/);
});
