import type { AutonomyDocument } from '#lib/formats';
import { beyondCells, isLooserReport, NO_PROGRESS, withCells } from './impact-report.js';

const before: AutonomyDocument = {
  autonomy: { mode: 'plan_only', calls_per_hour: 10 },
  freezes: [{ name: 'year-end', time_zone: 'UTC', from: '2026-12-20 00:00', until: '2027-01-02 00:00' }],
};
const after: AutonomyDocument = {
  autonomy: { mode: 'plan_only', calls_per_hour: 20, max_batch_percent: 50 },
  emergency_override: { enabled: true, allowed_roles: ['SRELead'] },
};
const reportOf = (then: AutonomyDocument | null, now: AutonomyDocument | null) => ({
  change: { autonomy: { before: then, after: now }, tools: {}, environments: {}, safeTools: {} },
  progress: NO_PROGRESS,
});

describe('the list of changes beyond cells', () => {
  it('names the changes that no cell shows, and makes the report looser', () => {
    const looser = reportOf(before, after);
    expect(beyondCells(looser)).toEqual([
      'break-glass is switched on, for SRELead',
      'the calls of an agent in an hour: 10 becomes 20',
      'freeze year-end is removed',
    ]);
    expect(isLooserReport(looser)).toBe(true);
  });

  it('is empty for the way back, and without a document', () => {
    expect(beyondCells(reportOf(after, before))).toEqual([]);
    expect(isLooserReport(reportOf(after, before))).toBe(false);
    expect(beyondCells(reportOf(before, null))).toEqual([]);
    expect(beyondCells({ change: null })).toEqual([]);
  });
});

describe('the count of cells', () => {
  it('counts the cells of a batch, and those in force that become looser', () => {
    const cell = { environment: 'live', tool: 'wipe', mode: 'full_auto', from: 'deny', to: 'allow', what: [] } as const;
    const counts = withCells({ found: 1, looser: 1 }, [
      { ...cell, inForce: true, gains: ['looser'] },
      { ...cell, inForce: true, gains: ['never_satisfiable'] },
      { ...cell, inForce: false, gains: ['looser'] },
    ]);
    expect(counts).toEqual({ found: 4, looser: 2 });
  });
});
