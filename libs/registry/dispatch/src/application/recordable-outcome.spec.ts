import { MAX_RESULT_VALUES, type Json } from '#lib/canonical';
import { recordable } from './recordable-outcome.js';

const deep = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((inner) => [inner], 1);
const SECRETS = new Map([['ops@1', 'upstream-token']]);
const succeeded = (result: Json) => ({ kind: 'succeeded', result }) as const;

it.each<[string, Json]>([
  ['a number beyond 2^53', { id: 12345678901234567000 }],
  ['a number beyond 2^53', [{ size: Infinity }]],
  ['values more than 64 levels deep', deep(65)],
  ['more than 20000 values', deep(100_000)],
  ['more than 20000 values', Array<Json>(MAX_RESULT_VALUES).fill(0)],
  ['keys that become one', { 'a\0': 1, 'a\uFFFD': 2 }],
  ['keys that become one', [{ 'upstream-token': 1, '[secret ops@1]': 2 }]],
])('a result with %s has an unknown effect', (problem, result) => {
  const message = `The executor answered with ${problem}, which cannot be recorded.`;
  expect(recordable(succeeded(result), SECRETS)).toEqual({
    kind: 'unknown',
    error: { code: 'dispatch.bad_answer', message },
  });
});

it('leaves a result with a canonical form as it is', () => {
  const result = {
    text: 'a\n',
    exact: [0.1, Number.MAX_SAFE_INTEGER, -0.5],
    none: null,
    deep: deep(62),
    most: Array<Json>(19_900).fill(0),
  };
  expect(recordable(succeeded(result), SECRETS)).toEqual(succeeded(result));
});

it('replaces NUL and half characters, in results and in errors', () => {
  expect(recordable(succeeded({ 'a\0': ['b\0', '\ud83d'] }), SECRETS)).toEqual(
    succeeded({ 'a\uFFFD': ['b\uFFFD', '\uFFFD'] }),
  );
  const error = { code: 'x\0', message: `half \ud83d` };
  expect(recordable({ kind: 'failed', effect: 'done', error }, SECRETS)).toEqual({
    kind: 'failed',
    effect: 'done',
    error: { code: 'x\uFFFD', message: 'half \uFFFD' },
  });
  expect(recordable({ kind: 'unknown', error }, SECRETS)).toMatchObject({ error: { message: 'half \uFFFD' } });
});

it('T32: holds no secret of the call', () => {
  expect(recordable(succeeded({ said: ['upstream-token\0'] }), SECRETS)).toEqual(
    succeeded({ said: ['[secret ops@1]\uFFFD'] }),
  );
});
