import type { JsonObject } from '#lib/canonical';
import { completeDefinition } from '#lib/tool';
import { documentOfDefinition } from './document-of-definition.js';

const inputSchema = { type: 'object', properties: { host: { type: 'string', maxLength: 50 } }, required: ['host'] };
const seen = (definition: JsonObject = { name: 'restart', description: ' Restarts. ', inputSchema }) => ({
  server: 'ops',
  tool: 'restart',
  digest: `sha256:${'1'.repeat(64)}`,
  definition,
});
const RISK = { risk: 'state_change_nonprod', idempotent: false, scope: 'asset' } as const;

const complete = (definition?: JsonObject) =>
  completeDefinition('mcp:ops:restart', documentOfDefinition(seen(definition), RISK), '');

it('has the words and arguments of the server, and the risk of the person', () => {
  expect(documentOfDefinition(seen(), RISK)).toEqual({
    ...RISK,
    description: 'Restarts.',
    parameters: { additionalProperties: false, ...inputSchema },
    mcp: { tool: 'restart', digest: seen().digest },
    executor: 'ops',
  });
  expect(documentOfDefinition(seen(), { ...RISK, description: 'Own words.' }).description).toBe('Own words.');
});

it('T54: takes no hint of the server', () => {
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
  expect(complete({ name: 'restart', description: 'Restarts.', inputSchema, annotations })).toMatchObject({
    value: { risk: 'state_change_nonprod', effect: 'destructive', idempotent: false, requires_plan: true },
  });
});

it('reads a schema of draft 7 that means the same in 2020-12', () => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  expect(complete({ name: 'restart', inputSchema: { $schema, ...inputSchema } })).toMatchObject({ ok: true });
  const tuple = { $schema, type: 'object', properties: { hosts: { type: 'array', items: [{ type: 'string' }] } } };
  expect(complete({ name: 'restart', inputSchema: tuple })).toMatchObject({
    ok: false,
    error: [{ pointer: '/parameters/$schema', code: 'tool.unsafe_schema' }],
  });
});

it.each<[string, JsonObject]>([
  ['a back reference', { type: 'object', properties: { a: { type: 'string', pattern: '(a)\\1' } } }],
  ['a remote reference', { type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } }],
  [
    'a reference to itself',
    { type: 'object', $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } },
  ],
])('T54: accepts no schema with %s', (_what, schema) => {
  const result = complete({ name: 'restart', inputSchema: schema });
  expect(result.ok ? [] : result.error.map(({ code }) => code)).toContain('tool.unsafe_schema');
});

it('is a tool of its server alone', () => {
  const document = documentOfDefinition(seen(), RISK);
  const named = (name: string, change: object = {}) => completeDefinition(name, { ...document, ...change }, '');
  const error = [{ pointer: '/mcp', code: 'tool.mcp_name' }];
  expect(named('mcp:other:restart')).toMatchObject({ ok: false, error });
  expect(named('restart')).toMatchObject({ ok: false, error });
  expect(named('mcp:ops:restart', { mcp: undefined })).toMatchObject({ ok: false, error });
});
