import { SHELL_CLASSES, type ExpandedLine, type ExpandedPaths } from '#lib/formats';
import type { PathFacts, ToolFacts } from '#lib/policy-inputs';
import { judgedFacts, riskOfLine, riskOfPaths } from './judged-facts.js';
import { level } from './level.js';

const TOOL = {
  risk: 'state_change_nonprod',
  effect: 'destructive',
  simulation: 'not_applicable',
  surface: 'terminal',
  scope: 'asset',
} as ToolFacts;
const line = (tier: 1 | 2, of: ExpandedLine['class'], production: boolean): { shell: ExpandedLine } => ({
  shell: {
    argument: '/line',
    shell: 'bash',
    tier,
    class: of,
    risk: riskOfLine({ tier }, production),
    tree: `sha256:${'0'.repeat(64)}`,
  },
});
const told = (tier: 1 | 2, of: ExpandedLine['class'], production: boolean, tool = TOOL): unknown[] => {
  const facts = judgedFacts(tool, line(tier, of, production));
  return [facts.risk, facts.effect, facts.simulation, level(facts)];
};

describe('the facts of a tool in one call', () => {
  it('are those of the registry without a command line', () => {
    expect(judgedFacts(TOOL, {})).toBe(TOOL);
  });

  it('are those of a read for Tier 1, in production too', () => {
    expect(told(1, 'READ_ONLY', true)).toEqual(['read_only', 'read', 'not_applicable', 'low']);
    expect(told(1, 'READ_ONLY', true, { ...TOOL, risk: 'state_change_prod' })[0]).toBe('read_only');
  });

  it('are those of a change for Tier 2, whatever its class', () => {
    expect(told(2, 'READ_ONLY', false)).toEqual(['state_change_nonprod', 'modify', 'not_applicable', 'high']);
    expect(told(2, 'WRITE', true)).toEqual(['state_change_prod', 'modify', 'required', 'high']);
    expect(told(2, 'DESTRUCTIVE', true)).toEqual(['state_change_prod', 'destructive', 'required', 'critical']);
  });

  it('ask people about any line beyond Tier 1, and about a read if the tool itself asks for them', () => {
    const hitl = (tier: 1 | 2, tool: Partial<ToolFacts>) =>
      judgedFacts({ ...TOOL, requires_hitl: 'configurable', ...tool }, line(tier, 'WRITE', false)).requires_hitl;
    expect([hitl(2, {}), hitl(1, {}), hitl(1, { requires_hitl: 'always' })]).toEqual([
      'always',
      'configurable',
      'always',
    ]);
    expect(hitl(1, { risk: 'state_change_prod', requires_hitl: 'always' })).toBe('configurable');
  });

  it('keep the exemption from a simulation only for the environments that it was given for', () => {
    const exempt = { ...TOOL, risk: 'state_change_prod' } as ToolFacts;
    expect(judgedFacts(exempt, line(2, 'WRITE', true)).simulation).toBe('not_applicable');
    expect(judgedFacts(TOOL, line(2, 'WRITE', false)).simulation).toBe('not_applicable');
  });

  it.each(SHELL_CLASSES)('never contradict themselves: %s', (of) => {
    for (const production of [true, false]) {
      expect(told(1, of, production)[3]).toBe('low');
      expect(told(2, of, production)[3]).not.toBe('medium');
    }
  });
});

describe('the facts of a tool in a call on paths', () => {
  const READ = {
    ...TOOL,
    risk: 'read_only',
    effect: 'read',
    surface: 'workspace',
    requires_hitl: 'never',
  } as ToolFacts;
  const WRITE = { ...READ, risk: 'state_change_nonprod', effect: 'modify' } as ToolFacts;
  const judged = (tool: ToolFacts, of: PathFacts, production: boolean) => {
    const paths: ExpandedPaths = { reads: [], writes: [], ...of, risk: riskOfPaths(tool.risk, of, production) };
    const { risk, effect, requires_hitl: asks } = judgedFacts(tool, { paths });
    return [risk, effect, asks];
  };

  it('are those of a change that people approve, if they hold secrets or code', () => {
    const secret = { tier: 2, class: 'READ_ONLY' } as const;
    expect(judged(READ, secret, false)).toEqual(['state_change_nonprod', 'modify', 'always']);
    expect(judged(READ, secret, true)).toEqual(['state_change_prod', 'modify', 'always']);
  });

  it('keep the risk of a change that the tool declares, in production too', () => {
    const code = { tier: 2, class: 'UNKNOWN' } as const;
    expect(judged(WRITE, code, true)).toEqual(['state_change_nonprod', 'modify', 'always']);
    expect(judged({ ...WRITE, effect: 'destructive' }, code, false)[1]).toBe('destructive');
  });

  it('are those of the registry for ordinary paths', () => {
    expect(judged(READ, { tier: 1, class: 'READ_ONLY' }, true)).toEqual(['read_only', 'read', 'never']);
    expect(judged(WRITE, { tier: 2, class: 'WRITE' }, true)).toEqual(['state_change_nonprod', 'modify', 'never']);
  });
});
