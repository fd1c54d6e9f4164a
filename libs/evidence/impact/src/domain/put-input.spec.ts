import type { AutonomyDocument } from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import { putInput } from './put-input.js';
import type { ToolInWorld, WorldChange } from './world.js';

const facts = (more: Partial<ToolFacts> = {}): ToolFacts => ({
  name: 'restart',
  version: 3,
  risk: 'state_change_prod',
  idempotent: true,
  scope: 'asset',
  effect: 'modify',
  surface: 'asset',
  requires_plan: true,
  requires_hitl: 'always',
  simulated_by: null,
  simulation: 'required',
  canary: true,
  ...more,
});
const tool = (more: Partial<ToolFacts> = {}, other: Partial<ToolInWorld> = {}): ToolInWorld => ({
  facts: facts(more),
  digest: 'sha256:1',
  reading: 'sha256:a',
  ...other,
});
const nothing: WorldChange = { tools: {}, environments: {}, safeTools: {} };
const before: AutonomyDocument = { autonomy: { mode: 'plan_only' } };
const after: AutonomyDocument = {
  autonomy: { mode: 'full_auto' },
  emergency_override: { enabled: true, allowed_roles: ['SRELead'] },
  freezes: [{ name: 'always', time_zone: 'UTC', from: '2026-01-01 00:00', until: '2027-01-01 00:00' }],
} as unknown as AutonomyDocument; // without the members that a change does not touch
const document: WorldChange = { ...nothing, autonomy: { before, after } };
const now = Date.UTC(2026, 5, 1);
const call = {
  now,
  autonomy: null,
  tool: facts(),
  environment: { id: 'e', name: 'production', production: true, version: 7 },
};

describe('the input under a change', () => {
  it('leaves an input alone that the change does not touch', () => {
    const change = { ...nothing, tools: { other: { before: null, after: tool({ name: 'other' }) } } };
    expect(putInput('tool_call', call, change, 'after')).toEqual({ how: 'put', touched: false, input: call });
  });

  describe('a change of the autonomy document', () => {
    it('puts the document of its side in', () => {
      const put = putInput('tool_call', call, document, 'after');
      expect(put).toEqual({ how: 'put', touched: true, input: { ...call, autonomy: { autonomy: after.autonomy } } });
      expect(putInput('tool_call', call, document, 'before')).toMatchObject({ input: { autonomy: before } });
      const none = { ...nothing, autonomy: { before: null, after } };
      expect(putInput('tool_call', call, none, 'before')).toMatchObject({ input: { autonomy: null } });
    });

    it('puts the freezes of that time in, and leaves the roles of the starter', () => {
      const held = { ...call, freeze: { active: [], starter_roles: ['SRELead'] } };
      const active = [expect.objectContaining({ name: 'always' })];
      const frozen = { input: { freeze: { active, starter_roles: ['SRELead'] } } };
      expect(putInput('automation', held, document, 'after')).toMatchObject(frozen);
      expect(putInput('run_step', { ...held, break_glass: null }, document, 'after')).toMatchObject(frozen);
      expect(putInput('plan', { ...held, stage: 'execute' }, document, 'after')).toMatchObject(frozen);
      expect(putInput('plan', { ...held, stage: 'request' }, document, 'after')).toMatchObject({
        input: { freeze: { active: [] } },
      });
      const before2025 = { ...held, now: Date.UTC(2025, 5, 1) };
      expect(putInput('automation', before2025, document, 'after')).toMatchObject({
        input: { freeze: { active: [] } },
      });
    });

    it('puts the setting of break-glass in', () => {
      expect(putInput('break_glass', call, document, 'after')).toMatchObject({
        input: { emergency_override: { enabled: true, allowed_roles: ['SRELead'] } },
      });
      expect(putInput('break_glass', call, document, 'before')).toMatchObject({ input: { emergency_override: null } });
      const step = { ...call, break_glass: { enabled: false, allowed_roles: ['A'], invoker_roles: ['B'] } };
      expect(putInput('run_step', step, document, 'after')).toMatchObject({
        input: { break_glass: { enabled: true, allowed_roles: ['SRELead'], invoker_roles: ['B'] } },
      });
      expect(putInput('run_step', step, document, 'before')).toMatchObject({
        input: { break_glass: { enabled: false, allowed_roles: [], invoker_roles: ['B'] } },
      });
      expect(putInput('run_step', { ...call, break_glass: null }, document, 'after')).toMatchObject({
        input: { break_glass: null },
      });
    });
  });

  describe('a change of a tool', () => {
    const milder = { before: tool(), after: tool({ version: 4, risk: 'read_only' }, { digest: 'sha256:2' }) };
    const change = { ...nothing, tools: { restart: milder } };

    it('puts the facts of its side in, under the version that the input names', () => {
      expect(putInput('tool_call', call, change, 'after')).toMatchObject({
        touched: true,
        input: { tool: { version: 3, risk: 'read_only' } },
      });
      const plan = {
        ...call,
        tool: undefined,
        tools: { 'restart@2': facts({ version: 2 }), 'look@1': facts({ name: 'look', version: 1 }) },
      };
      expect(putInput('plan', plan, change, 'after')).toMatchObject({
        input: { tools: { 'restart@2': { version: 2, risk: 'read_only' }, 'look@1': { risk: 'state_change_prod' } } },
      });
    });

    it('puts the digest in that an automation compares with the list of safe tools', () => {
      const made = { ...call, digest: 'sha256:0', accepted: null };
      expect(putInput('automation', made, change, 'after')).toMatchObject({ input: { digest: 'sha256:2' } });
      expect(putInput('tool_call', call, change, 'after')).not.toHaveProperty('input.digest');
    });

    it('says that there is no such tool on a side without it', () => {
      const removed = { ...nothing, tools: { restart: { before: tool(), after: null } } };
      expect(putInput('tool_call', call, removed, 'after')).toEqual({ how: 'unknown_tool', tool: 'restart' });
      expect(putInput('tool_call', call, removed, 'before')).toMatchObject({ how: 'put', touched: true });
    });

    it('says that arguments are needed if they would be read in another way', () => {
      const reread = { ...nothing, tools: { restart: { before: tool(), after: tool({}, { reading: 'sha256:b' }) } } };
      expect(putInput('tool_call', call, reread, 'before')).toEqual({ how: 'arguments_needed', tool: 'restart' });
    });
  });

  it('puts the flag of an environment in', () => {
    const change = { ...nothing, environments: { production: { before: true, after: false } } };
    expect(putInput('tool_call', call, change, 'after')).toMatchObject({
      touched: true,
      input: { environment: { id: 'e', production: false, version: 7 } },
    });
    expect(putInput('review', { now, autonomy: null }, change, 'after')).toMatchObject({ touched: false });
  });

  it('puts the accepted version of a safe tool in', () => {
    const accepted = { effect: 'modify', risk: 'state_change_nonprod', digest: 'sha256:1' } as const;
    const change = { ...nothing, safeTools: { restart: { before: null, after: accepted } } };
    expect(putInput('automation', { ...call, accepted: null }, change, 'after')).toMatchObject({ input: { accepted } });
    expect(putInput('tool_call', call, change, 'after')).toMatchObject({ touched: false });
  });
});
