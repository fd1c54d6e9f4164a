import type { Json } from '#lib/canonical';
import { readMcpDefinition } from './read-mcp-definition.js';

const listed = {
  name: 'restart_service',
  description: 'Restarts a service.\nIt takes a host.',
  inputSchema: { type: 'object', properties: { host: { type: 'string' } } },
};

const nested = (levels: number): Json => (levels === 0 ? 'end' : { deeper: nested(levels - 1) });

it('pins the members that a person sees, in any order', () => {
  const { digest, definition } = readMcpDefinition({ ...listed, _meta: { trace: 1 }, icons: [] });
  expect(definition).toEqual(listed);
  const { inputSchema, description, name } = listed;
  expect(readMcpDefinition({ inputSchema, name, description }).digest).toBe(digest);
});

it.each<[string, object]>([
  ['title', { title: 'Restart' }],
  ['description', { description: 'Restarts a service. It takes a host.' }],
  ['inputSchema', { inputSchema: { type: 'object' } }],
  ['outputSchema', { outputSchema: { type: 'object' } }],
  ['annotations', { annotations: { readOnlyHint: true } }],
])('has another digest with another %s', (_member, change) => {
  const digest = readMcpDefinition({ ...listed, ...change }).digest;
  expect(digest).toMatch(/^sha256:/);
  expect(digest).not.toBe(readMcpDefinition(listed).digest);
});

it.each<[string, unknown]>([
  ['without a name', { ...listed, name: undefined }],
  ['with a name that is no word', { ...listed, name: 'restart service' }],
  ['with a name that imitates another server', { ...listed, name: 'a:b' }],
  ['with a long description', { ...listed, description: 'x'.repeat(4_001) }],
  ['with a right-to-left override', { ...listed, description: 'Restarts\u202ea service.' }],
  ['with a tag character in its schema', { ...listed, inputSchema: { type: 'object', title: 'a\u{E0041}' } }],
  ['with a zero-width space in a name', { ...listed, inputSchema: { type: 'object', properties: { 'a\u200b': {} } } }],
  ['that is too deep', { ...listed, inputSchema: nested(50) }],
  ['that is too deep to walk', { ...listed, inputSchema: nested(5_000) }],
  ['that is too large', { ...listed, inputSchema: { type: 'object', enum: ['x'.repeat(70_000)] } }],
  ['with a number that has no canonical form', { ...listed, inputSchema: { type: 'object', maximum: 2 ** 60 } }],
  ['that is nothing', null],
])('T54: refuses a definition %s', (_what, given) => {
  const { digest, definition, problem } = readMcpDefinition(given);
  expect({ digest, definition }).toEqual({ digest: null, definition: null });
  expect(problem).toMatch(/^It/);
});
