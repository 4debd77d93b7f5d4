import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  expandVariables,
  namedSecrets,
  referencedSecrets,
  VariableError,
} from '../../../src/agents/variables';

const scope = {
  home: '/home/ada',
  workspaceFolder: '/work/shop',
  env: { TOKEN: 's3cret', Path: 'C:\\bin', EMPTY: '', DOLLAR: '$&${env:TOKEN}' },
  platform: 'linux' as const,
};

test('variables expand', () => {
  const cases = {
    '~': '/home/ada',
    '~/bin/agent': '/home/ada/bin/agent',
    '~ada/x': '~ada/x',
    'a/~/b': 'a/~/b',
    '${workspaceFolder}/a ${userHome}': '/work/shop/a /home/ada',
    '${env:TOKEN}:${env:TOKEN}': 's3cret:s3cret',
    '[${env:EMPTY}]': '[]',
    // Values are not expanded again, and hold no patterns of `replace`.
    '${env:DOLLAR}': '$&${env:TOKEN}',
    '$HOME $(x) {y} ${': '$HOME $(x) {y} ${',
  };
  for (const [text, expected] of Object.entries(cases)) {
    assert.equal(expandVariables(text, scope), expected);
  }
});

test('what cannot be expanded is told', () => {
  const cases: [string, RegExp][] = [
    ['${env:NOPE}', /NOPE is not set/],
    ['${file}', /\$\{file\} is not a variable of Parley\. Known are/],
    ['${TOKEN}', /Write \$\{env:TOKEN\}/],
    ['${}', /not a variable/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => expandVariables(text, scope),
      (error: unknown) => error instanceof VariableError && message.test(error.message),
      text,
    );
  }
});

test('without a folder, ${workspaceFolder} says what to do', () => {
  const { workspaceFolder: _, ...noFolder } = scope;
  assert.throws(() => expandVariables('${workspaceFolder}', noFolder), /Open a folder/);
});

test('names of variables are case-insensitive on Windows only', () => {
  assert.equal(expandVariables('${env:PATH}', { ...scope, platform: 'win32' }), 'C:\\bin');
  assert.throws(() => expandVariables('${env:PATH}', scope), VariableError);
});

test('secrets that settings refer to are known, paths are not among them', () => {
  const env = { API_KEY: 'sk-1', HOME: '/home/me', MY_TOKEN: 't-2' };
  assert.deepEqual(
    referencedSecrets(
      ['--key=${env:API_KEY}', '${env:HOME}/x ${env:MY_TOKEN}', '${env:NO_KEY}'],
      env,
    ),
    ['sk-1', 't-2'],
  );
});

for (const [name, isSecret] of [
  ['GIT_AUTHOR_NAME', false],
  ['GIT_AUTHOR_EMAIL', false],
  ['AUTHORS', false],
  ['AUTHORITY', false],
  ['EDITOR', false],
  ['AUTHORIZATION', true],
  ['HTTP_AUTHORISATION', true],
  ['AUTHORIZED_USER', true],
  ['BASIC_AUTH', true],
  ['auth_header', true],
  ['AUTHOR_TOKEN', true],
  ['DB_PASSWORD', true],
] as const) {
  test(`${name} is ${isSecret ? 'a secret' : 'no secret'} by its name`, () => {
    assert.deepEqual(namedSecrets({ [name]: 'some value' }), isSecret ? ['some value'] : []);
  });
}
