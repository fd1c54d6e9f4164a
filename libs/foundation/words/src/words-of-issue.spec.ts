import { z } from 'zod';
import { wordsOfIssue } from './words-of-issue.js';

const schema = z.strictObject({
  goal: z.string().min(1).max(5),
  steps: z.array(z.string()).min(1).max(2),
  percent: z.number().gt(0).max(100),
  count: z.int(),
  mode: z.enum(['plan_only', 'full_auto']),
  format: z.literal('v1'),
  mail: z.email(),
  page: z.url(),
  at: z.iso.datetime(),
  even: z.number().multipleOf(2),
  slug: z.string().regex(/^[a-z]+$/),
  name: z.string().min(3, 'must be a name'),
  either: z.union([z.string(), z.number()]),
  labels: z.record(z.string().max(3), z.string()),
  odd: z.number().refine((value) => value % 2 === 1),
  code: z.string().length(2),
  pair: z.tuple([z.string()]),
  none: z.never().optional(),
  program: z.union([z.string(), z.array(z.string())]),
  start: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('at') }),
    z.strictObject({ kind: z.literal('by'), key: z.base64() }),
  ]),
});
const fine = {
  ...{ goal: 'a', steps: ['a'], percent: 1, count: 1, mode: 'plan_only', format: 'v1', mail: 'a@b.example' },
  ...{ page: 'https://a.example', at: '2026-11-27T20:00:00.000Z', even: 2, slug: 'a', name: 'abc', either: 1 },
  ...{ labels: {}, odd: 1, code: 'ab', pair: ['a'], program: 'a', start: { kind: 'at' } },
};
const wordsFor = (change: object): readonly string[] => {
  const read = schema.safeParse({ ...fine, ...change }, { error: wordsOfIssue });
  return read.success ? [] : read.error.issues.map((issue) => issue.message);
};

it.each<[object, string]>([
  [{ goal: undefined }, 'is missing'],
  [{ mode: undefined }, 'is missing'],
  [{ format: undefined }, 'is missing'],
  [{ either: undefined }, 'is missing'],
  [{ goal: 7 }, 'must be text'],
  [{ goal: '' }, 'must have at least 1 character'],
  [{ goal: 'longer' }, 'must have at most 5 characters'],
  [{ steps: [] }, 'must have at least 1 item'],
  [{ steps: ['a', 'b', 'c'] }, 'must have at most 2 items'],
  [{ steps: {} }, 'must be a list'],
  [{ percent: 0 }, 'must be more than 0'],
  [{ percent: 101 }, 'must be at most 100'],
  [{ percent: Number.NaN }, 'must be a number'],
  [{ count: 1.5 }, 'must be a whole number'],
  [{ mode: 'auto' }, 'must be one of plan_only, full_auto'],
  [{ format: 'v2' }, 'must be v1'],
  [{ mail: 'a' }, 'must be a mail address'],
  [{ page: 'a' }, 'must be an address, as https://example.com/'],
  [{ at: 'noon' }, 'must be a time in UTC, as 2026-11-27T20:00:00.000Z'],
  [{ even: 3 }, 'must be a multiple of 2'],
  [{ slug: 'A' }, 'does not have the right form'],
  [{ name: 'a' }, 'must be a name'],
  [{ either: true }, 'must be text, or must be a number'],
  [{ program: 1 }, 'must be text, or must be a list'],
  [{ program: [1] }, 'must be text, or has a part that must be text'],
  [{ start: { kind: 'in' } }, 'must be one of at, by'],
  [{ start: {} }, 'must be one of at, by'],
  [{ start: { kind: 'at', a: 1, 'b\u202e': 2 } }, 'must not have "a", "b⟦U+202E⟧"'],
  [{ start: { kind: 'by', key: '?' } }, 'must be base64, with A-Z, a-z, 0-9, + and /'],
  [{ code: 'abc' }, 'must have exactly 2 characters'],
  [{ pair: 'a' }, 'must be a list'],
  [{ none: 1 }, 'must be left out'],
  [{ labels: { long_name: 'a' } }, 'is not allowed as a name: it must have at most 3 characters'],
  [{ odd: 2 }, 'is not valid'],
])('%j: %s', (change, words) => {
  expect(wordsFor(change)).toEqual([words]);
});

it('has nothing to say of a document without a mistake', () => {
  expect(wordsFor({})).toEqual([]);
});
