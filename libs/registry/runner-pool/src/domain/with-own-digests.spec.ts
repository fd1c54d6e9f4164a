import { readMcpDefinition } from '#lib/mcp-client';
import { withOwnDigests } from './with-own-digests.js';

const definition = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };
const of = (tool: object) =>
  withOwnDigests({
    name: 'files',
    problem: null,
    tools: [{ tool: 'read', digest: null, definition: null, problem: null, ...tool }],
  }).tools;

it('T54: takes no digest of a runner for the definition beside it', () => {
  const said = { digest: `sha256:${'0'.repeat(64)}`, definition };
  expect(of(said)).toEqual([readMcpDefinition(definition)]);
  expect(of(said)[0]?.digest).not.toBe(said.digest);
});

it('T54: has no digest for a definition that nobody could judge, or that is not there', () => {
  expect(of({ definition: { ...definition, description: 'x\u200B' } })).toMatchObject([
    { digest: null, definition: null, problem: 'It holds characters that a reader does not see.' },
  ]);
  expect(of({ digest: `sha256:${'0'.repeat(64)}`, problem: 'It is too deep.' })).toEqual([
    { tool: 'read', digest: null, definition: null, problem: 'It is too deep.' },
  ]);
});
