import * as fc from 'fast-check';
import type { Json, JsonObject } from '#lib/canonical';
import { digestOf, newId, type FieldError } from '#lib/kernel';
import { checkParameterSchema } from './check-parameter-schema.js';
import { completeDefinition } from './complete-definition.js';
import { targetsOf } from './targets-of.js';
import type { ToolVersion } from './tool-version.js';
import { secretsOf, validateArguments } from './validate-arguments.js';
import { cpuMs } from '../../../../../test/support/cpu-time.js';

function toolWith(parameters: JsonObject, more: Record<string, unknown> = {}): ToolVersion {
  const completed = completeDefinition(
    't',
    {
      description: 'x',
      risk: 'state_change_nonprod',
      idempotent: false,
      scope: 'asset',
      parameters: parameters as never,
      ...more,
    },
    '/tools/t',
  );
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  const definition = completed.value;
  return { id: newId<never>(), name: 't', version: 1, digest: digestOf('tool', definition as Json), definition };
}

/** A tool whose stored schema is no JSON Schema. */
function unusable(): ToolVersion {
  const tool = toolWith({ type: 'object' });
  const parameters = { type: 'object', properties: { a: { type: 'strin' } } } as const;
  return { ...tool, digest: digestOf('tool', parameters), definition: { ...tool.definition, parameters } };
}

const errorsOf = (tool: ToolVersion, args: Json): readonly FieldError[] => {
  const checked = validateArguments(tool, args);
  return checked.ok ? [] : (checked.error.errors ?? []);
};

const rollout: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['targets', 'image'],
  properties: {
    targets: { type: 'array', items: { type: 'string', pattern: '^web-[0-9]+$' }, minItems: 1, maxItems: 50 },
    image: { type: 'string' },
    when: { type: 'string', format: 'date-time' },
    speed: { enum: ['slow', 'fast'] },
    token: { type: 'string', writeOnly: true },
  },
};

describe('arguments', () => {
  const tool = toolWith(rollout);

  it.each<[JsonObject, Json, string]>([
    [{ type: 'array', minItems: 1 }, [], '/x must have at least 1 item.'],
    [{ type: 'array', maxItems: 2 }, [1, 2, 3], '/x must have at most 2 items.'],
    [{ type: 'array', uniqueItems: true, maxItems: 9 }, [1, 1], '/x must not have the same item twice.'],
    [{ type: 'string', minLength: 3 }, 'ab', '/x must have at least 3 characters.'],
    [{ type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, '/x must have at most 1 member.'],
    [{ type: 'integer' }, 'a', '/x must be integer.'],
  ])('have the mistake against %j of %j in words', (schema, value, message) => {
    const one = toolWith({ type: 'object', additionalProperties: false, properties: { x: schema } });
    expect(errorsOf(one, { x: value })).toMatchObject([{ pointer: '/x', message }]);
  });

  it('that fit are returned as they are', () => {
    const args = { targets: ['web-1'], image: 'i', when: '2026-11-21T22:00:00Z', token: { $secret: 'fleet.token@2' } };
    const checked = validateArguments(tool, args);
    expect(checked).toEqual({ ok: true, value: args });
    expect(secretsOf(args)).toEqual([{ pointer: '/token', reference: 'fleet.token@2' }]);
  });

  it.each<[string, Json, string, string, string | undefined]>([
    ['a missing one', { targets: ['web-1'] }, '', 'tool.argument_required', undefined],
    ['one of another type', { targets: 'web-1', image: 'i' }, '/targets', 'tool.argument_type', undefined],
    ['one deep inside', { targets: ['web-1', 'db-1'], image: 'i' }, '/targets/1', 'tool.argument_pattern', undefined],
    [
      'one that is not declared',
      { targets: ['web-1'], image: 'i', sped: 'slow' },
      '/sped',
      'tool.argument_unknown',
      'speed',
    ],
    ['one that is misspelt', { targets: ['web-1'], image: 'i', speed: 'fats' }, '/speed', 'tool.argument_enum', 'fast'],
    [
      'a moment that is none',
      { targets: ['web-1'], image: 'i', when: 'soon' },
      '/when',
      'tool.argument_format',
      undefined,
    ],
    ['no object', ['web-1'], '', 'tool.argument_type', undefined],
  ])('%s is named by where it stands', (_, args, pointer, code, suggestion) => {
    expect(errorsOf(tool, args)).toContainEqual(
      expect.objectContaining(suggestion === undefined ? { pointer, code } : { pointer, code, suggestion }),
    );
  });

  it.each<[string, ToolVersion, Json, Partial<FieldError>]>([
    [
      'no exact form',
      toolWith({ type: 'object', properties: { a: {} } }),
      { a: ['\ud800'] },
      { pointer: '/a/0', code: 'tool.argument_not_canonical' },
    ],
    ['a schema that does not compile', unusable(), { a: 'a' }, { pointer: '', code: 'tool.schema_unusable' }],
  ])('with %s are refused', (_what, given, args, error) => {
    expect(validateArguments(given, args)).toMatchObject({
      ok: false,
      error: { code: 'tool.invalid_arguments', errors: [error] },
    });
  });

  it('a secret is never a literal, and the literal is not repeated', () => {
    const errors = errorsOf(tool, { targets: ['web-1'], image: 'i', token: 'hunter2' });
    expect(errors).toEqual([expect.objectContaining({ pointer: '/token', code: 'tool.literal_secret' })]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
    for (const token of [{ $secret: 'no-version' }, { $secret: 'a@1', more: 1 }, { $secret: 'a@0' }, null]) {
      expect(errorsOf(tool, { targets: ['web-1'], image: 'i', token })).toHaveLength(1);
    }
  });

  it('a reference stands only in the place of a secret', () => {
    const open = toolWith({
      type: 'object',
      properties: {
        any: {},
        list: { type: 'array', items: { type: 'object', properties: { key: { writeOnly: true } } } },
      },
    });
    expect(errorsOf(open, { any: { deep: [{ $secret: 'a@1' }] } })).toEqual([
      expect.objectContaining({ pointer: '/any/deep/0', code: 'tool.misplaced_secret' }),
    ]);
    expect(errorsOf(open, { list: [{ key: { $secret: 'a@1' } }] })).toEqual([]);
  });

  it('of __proto__ and constructor are arguments like any other, and not declared', () => {
    expect(errorsOf(tool, JSON.parse('{"targets":["web-1"],"image":"i","__proto__":{}}') as Json)).toHaveLength(1);
    expect(errorsOf(tool, { targets: ['web-1'], image: 'i', constructor: 1 })).toHaveLength(1);
    const needsConstructor = toolWith({
      type: 'object',
      required: ['constructor'],
      properties: { constructor: { type: 'string' } },
    });
    expect(errorsOf(needsConstructor, {})).toHaveLength(1);
  });

  it('are never changed by being checked', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        validateArguments(tool, value as Json);
        return JSON.stringify(value) === before;
      }),
    );
  });

  it('a parameter without a value of its own cannot be guessed: the first is required', () => {
    expect(
      errorsOf(tool, {})
        .map(({ message }) => message)
        .join(' '),
    ).toContain("'targets'");
  });
});

describe('T24: a schema that could take unbounded time is refused, one that is let through is checked in bounded time', () => {
  const of = (property: JsonObject, more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { a: property },
    ...more,
  });
  const nested = (levels: number): JsonObject =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
  const doubling: JsonObject = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `d${String(index)}`,
      index === 19
        ? { type: 'string' }
        : { anyOf: [{ $ref: `#/$defs/d${String(index + 1)}` }, { $ref: `#/$defs/d${String(index + 1)}` }] },
    ]),
  );

  it.each<[string, JsonObject, string]>([
    ['a back-reference', of({ type: 'string', pattern: '(a)\\1' }), '/properties/a/pattern'],
    ['look-ahead', of({ type: 'string', pattern: '(?=a)b' }), '/properties/a/pattern'],
    [
      'a pattern that repeats too much',
      of({ type: 'string', pattern: '(a{200}){5}(b{200}){5}' }),
      '/properties/a/pattern',
    ],
    ['a long pattern', of({ type: 'string', pattern: 'a'.repeat(300) }), '/properties/a/pattern'],
    [
      'a pattern among property names',
      { type: 'object', patternProperties: { '(?<!x)y': true } },
      '/patternProperties/(?<!x)y',
    ],
    ['a remote reference', of({ $ref: 'https://example.com/schema' }), '/properties/a/$ref'],
    [
      'a reference to itself',
      of({ $ref: '#/$defs/x' }, { $defs: { x: { anyOf: [{ $ref: '#/$defs/x' }] } } }),
      '/$defs/x/anyOf/0/$ref',
    ],
    ['the whole document as a reference', of({ $ref: '#' }), '/properties/a/$ref'],
    ['a dynamic reference', of({ $dynamicRef: '#x' }), '/properties/a/$dynamicRef'],
    ['a name of its own', { type: 'object', $id: 'https://example.com/me' }, '/$id'],
    ['references that double', of({ $ref: '#/$defs/d0' }, { $defs: doubling }), ''],
    ['unique items without end', of({ type: 'array', uniqueItems: true }), '/properties/a/uniqueItems'],
    ['a format that nobody checks', of({ type: 'string', format: 'regex' }), '/properties/a/format'],
    ['too many levels', nested(40), '/properties/a'.repeat(33)],
    [
      'a secret among alternatives',
      of({ anyOf: [{ type: 'string', writeOnly: true }] }),
      '/properties/a/anyOf/0/writeOnly',
    ],
    ['an older dialect', { type: 'object', $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema'],
    ['a schema of something else', { type: 'array' }, ''],
    ['a long schema', of({ type: 'string', description: 'x'.repeat(40_000) }), ''],
    ['definitions below the top', of({ type: 'object', $defs: { x: { type: 'string' } } }), '/properties/a/$defs'],
    ['a reference to nothing', of({ $ref: '#/$defs/never' }), '/properties/a/$ref'],
    ['a keyword that looks like a secret', of({ type: 'string', $secret: 'x@1' }), '/properties/a'],
  ])('%s', (_, schema, pointer) => {
    const errors = checkParameterSchema(schema, '');
    expect(errors).toContainEqual(expect.objectContaining({ pointer, code: 'tool.unsafe_schema' }));
  });

  it('the worst patterns that are let through finish on the longest arguments', () => {
    const tool = toolWith(of({ type: 'string', pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' }));
    const took = cpuMs(() => {
      expect(errorsOf(tool, { a: 'a'.repeat(60_000) })).toHaveLength(1);
    });
    expect(took).toBeLessThan(2_000);
    expect(errorsOf(tool, { a: 'a'.repeat(70_000) })).toEqual([
      expect.objectContaining({ code: 'tool.argument_size' }),
    ]);
  });

  it('at most twenty errors are listed', () => {
    expect(
      errorsOf(toolWith(of({ type: 'array', items: { type: 'string' } })), {
        a: Array.from({ length: 5_000 }, () => 1),
      }),
    ).toHaveLength(20);
  });
});

describe('targets', () => {
  const tool = toolWith(
    {
      type: 'object',
      properties: {
        targets: { type: 'array', items: { type: 'string' } },
        at: { type: 'object', properties: { host: { type: 'string' } } },
      },
    },
    { identity_fields: ['/targets', '/at/host'] },
  );

  it('are named by the identity fields, each once', () => {
    expect(targetsOf(tool, { targets: ['b', 'a', 'b'], at: { host: 'a' } }, 'production')).toEqual(['b', 'a']);
  });

  it('are the environment if a change names none', () => {
    expect(targetsOf(tool, {}, 'production')).toEqual(['environment:production']);
    const reader: ToolVersion = { ...tool, definition: { ...tool.definition, risk: 'read_only', effect: 'read' } };
    expect(targetsOf(reader, {}, 'production')).toEqual([]);
  });
});
