import * as fc from 'fast-check';
import { TOOL_EFFECTS, TOOL_LEVELS, TOOL_RISKS, TOOL_SCOPES, TOOL_SURFACES, type ToolLevel } from '#lib/formats';
import { level, type Classification } from './level.js';
import { AUTOMATION_TIERS, SESSION_RISKS, SHELL_TIERS, SKILL_CATEGORIES } from './seed-categories.js';

const classification = fc.record({
  risk: fc.constantFrom(...TOOL_RISKS),
  effect: fc.constantFrom(...TOOL_EFFECTS),
  surface: fc.constantFrom(...TOOL_SURFACES),
  scope: fc.constantFrom(...TOOL_SCOPES),
});

const rank = (of: ToolLevel): number => TOOL_LEVELS.indexOf(of);

describe('level', () => {
  it('is at least high for every tool that changes production', () => {
    fc.assert(
      fc.property(classification, (tool) => rank(level({ ...tool, risk: 'state_change_prod' })) >= rank('high')),
    );
  });

  it('never goes down when a change becomes destructive, reaches further, or moves to production', () => {
    const change = fc.constantFrom('modify' as const, 'destructive' as const);
    fc.assert(
      fc.property(classification, change, (tool, effect) => {
        const nonprod: Classification = { ...tool, effect, risk: 'state_change_nonprod' };
        const base = rank(level(nonprod));
        return (
          rank(level({ ...nonprod, effect: 'destructive' })) >= base &&
          rank(level({ ...nonprod, scope: 'organization' })) >= base &&
          rank(level({ ...nonprod, risk: 'state_change_prod' })) >= base
        );
      }),
    );
  });

  it('is critical for a tool that contradicts itself', () => {
    expect(level({ risk: 'read_only', effect: 'destructive', surface: 'asset', scope: 'asset' })).toBe('critical');
  });

  describe('gives the categories of the taxonomies it replaces the level they had', () => {
    it('automation tiers: read, modify, destructive', () => {
      expect(Object.entries(AUTOMATION_TIERS).map(([tier, tool]) => [tier, level(tool)])).toEqual([
        ['read', 'low'],
        ['modify', 'medium'],
        ['destructive', 'high'],
      ]);
      for (const [tier, tool] of Object.entries(AUTOMATION_TIERS)) expect(tool.effect).toBe(tier);
    });

    it('categories of skills', () => {
      expect(
        Object.fromEntries(Object.entries(SKILL_CATEGORIES).map(([category, tool]) => [category, level(tool)])),
      ).toEqual({
        read: 'low',
        'workspace-write': 'medium',
        'git-read': 'low',
        'git-write': 'high',
        'terminal-read': 'low',
        'terminal-write': 'high',
        network: 'medium',
        'audio-input': 'low',
        'audio-output': 'low',
      });
    });

    it('the tools of the catalog of ADR-009', () => {
      const at = (risk: Classification['risk'], effect: Classification['effect'], scope: Classification['scope']) =>
        level({ risk, effect, scope, surface: 'asset' });
      expect(at('read_only', 'read', 'organization')).toBe('low');
      expect(at('plan_only', 'read', 'environment')).toBe('low');
      expect(at('state_change_nonprod', 'modify', 'environment')).toBe('medium');
      expect(at('state_change_prod', 'modify', 'asset')).toBe('high');
      // Its rego names execute_rollout_prod and trigger_dr_failover critical.
      expect(at('state_change_prod', 'modify', 'environment')).toBe('critical');
      expect(at('state_change_prod', 'destructive', 'environment')).toBe('critical');
    });

    it('tiers of shell commands', () => {
      expect(Object.values(SHELL_TIERS).map(level)).toEqual(['low', 'high', 'critical']);
    });

    it('risks of an interactive session', () => {
      expect(Object.fromEntries(Object.entries(SESSION_RISKS).map(([risk, tool]) => [risk, level(tool)]))).toEqual({
        READ_ONLY: 'low',
        BUILD_TEST: 'low',
        WRITE: 'medium',
        DESTRUCTIVE: 'high',
        NETWORK: 'medium',
        ESCALATION: 'critical',
        UNKNOWN: 'high',
      });
    });
  });
});
