import { newId, type DecisionId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleFacts, sampleLine } from '../application/fake-tool-call.js';
import { subjectCall } from './subject-call.js';
import type { ToolCallFacts } from './tool-call.js';

const facts = sampleFacts(fakeWorld().home, { decisionId: newId<DecisionId>() });
const shell = sampleTool('shell', {
  risk: 'state_change_nonprod',
  effect: 'modify',
  surface: 'terminal',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } } },
});
const digestWith = (line: ToolCallFacts['shell']) => subjectCall({ ...facts, shell: line }, shell).digest;

describe('people who answer about a call', () => {
  it('T53: are asked about the tree and the tier of its line', () => {
    const line = sampleLine('ls -l');
    const digests = [line, sampleLine('ls'), { ...line, tier: 2 as const }, { ...line, tree: null }].map(digestWith);
    expect(new Set(digests).size).toBe(4);
    expect(digestWith({ ...line, parts: [] })).toBe(digests[0]);
  });
});
