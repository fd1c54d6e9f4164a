import { z } from 'zod';
import type { Json, JsonObject } from '#lib/canonical';
import { wordsOfIssue } from '#lib/words';
import { explainIssue, keysAt, positionOf, valueAt } from './explain-issue.js';
import { parseYaml } from './parse-yaml.js';

const SCHEMA = z.strictObject({
  mode: z.enum(['plan_only', 'full_auto']).optional(),
  enabled: z.boolean().optional(),
  count: z.number().int().min(2).max(9).optional(),
  ratio: z.number().optional(),
  word: z.string().min(2).max(3).optional(),
  words: z.array(z.string()).min(1).max(2).optional(),
  steps: z.array(z.strictObject({ id: z.string().optional() })).optional(),
  by_name: z
    .record(
      z.string().regex(/^[a-z0-9]+$/, 'A name is in small letters.'),
      z.strictObject({ limit: z.int().optional() }),
    )
    .optional(),
  start: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('at'), time: z.string() }),
      z.strictObject({ kind: z.literal('by'), person: z.string() }),
    ])
    .optional(),
  page: z.url().optional(),
  outer: z
    .strictObject({ inner: z.string(), other: z.string().refine((text) => text !== 'bad', 'Not this') })
    .optional(),
});

const explained = (value: Json, homeOf?: (key: string, path: readonly string[]) => string | undefined) => {
  const read = SCHEMA.safeParse(value, { error: wordsOfIssue });
  const more = homeOf === undefined ? {} : { homeOf };
  return (read.error?.issues ?? []).flatMap((issue) =>
    explainIssue(issue, { area: 'plan', schema: SCHEMA, value, yaml: null, ...more }),
  );
};

describe('a refused value', () => {
  it.each<[Json, string, string | null]>([
    [{ mode: 'plan-only' }, 'mode is one of plan_only, full_auto.', 'plan_only'],
    [{ mode: 'FULL - AUTO' }, 'mode is one of plan_only, full_auto.', 'full_auto'],
    [{ mode: 'Plan   -  only' }, 'mode is one of plan_only, full_auto.', 'plan_only'],
    [{ mode: 'elsewhere' }, 'mode is one of plan_only, full_auto.', null],
    [{ mode: 7 }, 'mode is one of plan_only, full_auto.', null],
    [{ outer: { inner: 'x', other: 'bad' } }, 'other: Not this.', null],
    [{ start: { kind: 'elsewhere' } }, 'kind is one of at, by.', null],
    [{ start: { kind: 'AT' } }, 'kind is one of at, by.', 'at'],
    [{ start: { kind: {} } }, 'kind is one of at, by.', null],
    [{ page: 'nowhere' }, 'page: must be an address, as https://example.com/.', null],
  ])('%j has its allowed values named', (value, message, suggestion) => {
    expect(explained(value)).toEqual([
      {
        pointer: expect.any(String) as string,
        code: 'plan.wrong_value',
        message,
        ...(suggestion === null ? {} : { suggestion }),
      },
    ]);
  });

  it.each<[Json, string]>([
    [{ enabled: 1 }, 'enabled is true or false, and this is the value 1.'],
    [{ enabled: null }, 'enabled is true or false, and this is empty.'],
    [{ count: 2.5 }, 'count is a whole number, and this is the value 2.5.'],
    [{ count: [12] }, 'count is a number, and this is a list.'],
    [{ ratio: true }, 'ratio is a number, and this is the value true.'],
    [{ word: 12 }, 'word is a word, and this is the value 12.'],
    [{ words: { a: 1 } }, 'words is a list, and this is a block of keys.'],
    [{ words: 12 }, 'words is a list, and this is the value 12.'],
    [{ words: ['a', 3] }, 'An entry of words is a word, and this is the value 3.'],
    [
      { steps: [...Array<JsonObject>(10).fill({}), 4] },
      'An entry of steps is a block of keys, and this is the value 4.',
    ],
    [{ by_name: { '1a': { limit: [] } } }, 'limit is a number, and this is a list.'],
    [{ by_name: { a1: 4 } }, 'a1 is a block of keys, and this is the value 4.'],
    [{ by_name: { '1a': 4 } }, '1a is a block of keys, and this is the value 4.'],
    [{ by_name: [] }, 'by_name is a block of keys, and this is a list.'],
    [[], 'The document is a block of keys, and this is a list.'],
    ['x'.repeat(80), `The document is a block of keys, and this is the word "${'x'.repeat(59)}.`],
  ])('%j has its kind named', (value, message) => {
    const errors = explained(value).filter(({ code }) => code === 'plan.wrong_type');
    expect(errors).toEqual([{ pointer: expect.any(String) as string, code: 'plan.wrong_type', message }]);
  });

  it.each<[Json, string | null]>([
    [{ enabled: 'yes' }, 'true'],
    [{ enabled: 'ON' }, 'true'],
    [{ enabled: 'y' }, 'true'],
    [{ enabled: 'no' }, 'false'],
    [{ enabled: 'Off' }, 'false'],
    [{ enabled: 'n' }, 'false'],
    [{ enabled: 'not yes' }, null],
    [{ enabled: 'yes please' }, null],
    [{ enabled: 'no way' }, null],
    [{ enabled: 'piano' }, null],
    [{ enabled: '12' }, null],
    [{ enabled: ['yes'] }, null],
    [{ word: ['yes'] }, null],
    [{ outer: 'yes' }, null],
    [{ outer: '12' }, null],
    [{ words: ['one', []] }, null],
    [{ words: 'ab' }, '[ab]'],
    [{ words: 'x'.repeat(70) }, `[${'x'.repeat(60)}]`],
    [{ words: 12 }, null],
    [{ count: '12' }, '12'],
    [{ count: ['12'] }, null],
    [{ ratio: '123456' }, '123456'],
    [{ count: '1234567' }, null],
    [{ count: 'a12' }, null],
    [{ count: '12a' }, null],
  ])('%j has a suggestion if its intention is clear: %s', (value, suggestion) => {
    expect(explained(value)[0]?.suggestion ?? null).toBe(suggestion);
  });

  it.each<[Json, string]>([
    [{ count: 1 }, 'count is at least 2.'],
    [{ count: 10 }, 'count is at most 9.'],
    [{ word: 'a' }, 'word has at least 2 characters.'],
    [{ word: 'abcd' }, 'word has at most 3 characters.'],
    [{ words: [] }, 'words has at least 1 entry.'],
    [{ words: ['a', 'b', 'c'] }, 'words has at most 2 entries.'],
  ])('%j has its bound named', (value, message) => {
    expect(explained(value)).toMatchObject([{ code: 'plan.out_of_range', message }]);
  });

  it.each(['record', 'object'])('has the number of keys of a %s named', (origin) => {
    const issue = { code: 'too_big', maximum: 2, origin, path: ['by_name'], message: '' } as z.core.$ZodIssue;
    const value = { by_name: {} };
    expect(explainIssue(issue, { area: 'plan', schema: SCHEMA, value, yaml: null })).toMatchObject([
      { message: 'by_name has at most 2 keys.' },
    ]);
  });
});

describe('a key', () => {
  it('that is missing is named with its place', () => {
    expect(explained({ outer: { other: 'x' } })).toEqual([
      { pointer: '/outer/inner', code: 'plan.missing_key', message: 'inner is missing in outer.' },
    ]);
    expect(explained({ start: {} })).toEqual([
      { pointer: '/start/kind', code: 'plan.missing_key', message: 'kind is missing in start.' },
    ]);
    const needed = z.strictObject({ name: z.string(), list: z.array(z.strictObject({ id: z.string() })).optional() });
    const missing = (value: Json) =>
      needed
        .safeParse(value)
        .error?.issues.flatMap((issue) => explainIssue(issue, { area: 'plan', schema: needed, value, yaml: null }))
        .map(({ message }) => message);
    expect(missing({})).toEqual(['name is missing.']);
    expect(missing({ name: 'x', list: [{}] })).toEqual(['id is missing in list.0.']);
  });

  it('that is not possible is refused with the words of the schema', () => {
    expect(explained({ by_name: { A: {} } })).toEqual([
      { pointer: '/by_name/A', code: 'plan.wrong_name', message: 'A name is in small letters.' },
    ]);
  });

  it.each<[Json, string, string, string | null]>([
    [{ moed: 1 }, '/moed', 'mode, enabled, count, ratio, word, words, steps, by_name, start, page, outer', 'mode'],
    [
      { elsewhere: 1 },
      '/elsewhere',
      'mode, enabled, count, ratio, word, words, steps, by_name, start, page, outer',
      null,
    ],
    [{ steps: [{ ip: 'x' }] }, '/steps/0/ip', 'id', 'id'],
    [{ by_name: { a: { limti: 1 } } }, '/by_name/a/limti', 'limit', 'limit'],
    [{ start: { kind: 'at', time: 'y', persn: 'x' } }, '/start/persn', 'kind, time', null],
    [{ start: { kind: 'by', person: 'y', persn: 'x' } }, '/start/persn', 'kind, person', null],
    [{ outer: { inner: 'x', other: 'y', 'a/b': 1 } }, '/outer/a~1b', 'inner, other', null],
  ])('%j that is unknown is named beside the known ones', (value, pointer, known, suggestion) => {
    const key = JSON.stringify(pointer.split('/').at(-1)?.replace('~1', '/'));
    expect(explained(value)).toEqual([
      {
        ...{ pointer, code: 'plan.unknown_key', message: `There is no key ${key} here; there are ${known}.` },
        ...(suggestion === null ? {} : { suggestion }),
      },
    ]);
  });

  it('that is missing under another spelling is suggested to the first such spelling alone', () => {
    expect(explained({ start: { kind: 'at', tiem: 'x', tme: 'y' } })).toMatchObject([
      { pointer: '/start/time', code: 'plan.missing_key' },
      { pointer: '/start/tiem', suggestion: 'time' },
      { pointer: '/start/tme', message: 'There is no key "tme" here; there are kind, time.' },
    ]);
    expect(explained({ moed: 1, mdoe: 2 }).map(({ suggestion }) => suggestion)).toEqual(['mode', undefined]);
  });

  it('of a document is shown inert', () => {
    const errors = explained({ count: '\u202e', by_name: { 'a\u202e': 4 }, start: { kind: 'at', 'b\u202e': 1 } });
    expect(errors.map(({ message }) => message)).toEqual([
      'count is a number, and this is the word "⟦U+202E⟧".',
      'A name is in small letters.',
      'time is missing in start.',
      'There is no key "b⟦U+202E⟧" here; there are kind, time.',
    ]);
  });

  it('of any length is shown in part', () => {
    expect(explained({ ['k'.repeat(120)]: 1 })[0]?.message).toContain(`"${'k'.repeat(100)}" here`);
  });

  it('that belongs elsewhere is shown its place, unless it is nearly one of here', () => {
    const homeOf = (key: string, path: readonly string[]) => `${key} of ${path.join()}`;
    expect(explained({ outer: { inner: 'x', other: 'y', time: 1 } }, homeOf)).toEqual([
      {
        pointer: '/outer/time',
        code: 'plan.unknown_key',
        message: 'time does not stand here.',
        suggestion: 'time of outer',
      },
    ]);
    expect(explained({ moed: 1 }, homeOf)).toMatchObject([{ suggestion: 'mode' }]);
  });
});

it('an error of YAML has the line of its value, or of the nearest one around it', () => {
  const source = 'words:\n  - one\n  - 7\nouter:\n  inner: x\n  othre: y\nby_name:\n  A: {}\n';
  const yaml = parseYaml(source);
  if (!yaml.ok) throw new Error(JSON.stringify(yaml.error));
  const { value } = yaml.value;
  const errors = (SCHEMA.safeParse(value).error?.issues ?? []).flatMap((issue) =>
    explainIssue(issue, { area: 'plan', schema: SCHEMA, value, yaml: yaml.value }),
  );
  expect(errors.map(({ pointer, line, column }) => [pointer, line, column])).toEqual([
    ['/words/1', 3, 5],
    ['/by_name/A', 8, 3],
    ['/outer/other', 5, 3],
    ['/outer/othre', 6, 3],
  ]);
  expect(positionOf('/outer/none/deep', yaml.value)).toEqual({ line: 5, column: 3 });
  expect(positionOf('/none', yaml.value)).toEqual({ line: 1, column: 1 });
  expect(positionOf('/none', { value: null, values: new Map(), keys: new Map() })).toEqual({ line: 1, column: 1 });
});

it.each<[string[], string[]]>([
  [['by_name'], []],
  [['by_name', 'any'], ['limit']],
  [['steps', '0'], ['id']],
  [['start'], ['kind', 'time', 'person']],
  [['mode', 'deeper'], []],
  [['nowhere'], []],
])('the keys at %j are %j', (path, keys) => {
  expect(keysAt(SCHEMA, path, {})).toEqual(keys);
});

it.each([
  ['at', ['kind', 'time']],
  ['by', ['kind', 'person']],
  ['elsewhere', ['kind', 'time', 'person']],
])('the keys of a union are those of the kind of the document: %s', (kind, keys) => {
  expect(keysAt(SCHEMA, ['start'], { start: { kind } })).toEqual(keys);
});

it.each<[string[], Json | undefined]>([
  [[], { outer: { inner: null }, words: ['one', 7] }],
  [['words', '1'], 7],
  [['words', '2'], undefined],
  [['outer', 'toString'], undefined],
  [['outer', 'inner', 'deep'], undefined],
  [['words', '0', 'length'], undefined],
])('the value at %j is %j', (path, expected) => {
  expect(valueAt({ outer: { inner: null }, words: ['one', 7] }, path)).toEqual(expected);
});
