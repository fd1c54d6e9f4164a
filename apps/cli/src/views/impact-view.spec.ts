import type { ImpactReportView } from '#lib/api-schemas';
import { headline, verdict } from './impact-view.js';

const reportOf = (
  {
    looked,
    total,
    notPut,
    changed = 0,
    looser = 0,
  }: Record<'looked' | 'total' | 'notPut', number> & {
    readonly changed?: number;
    readonly looser?: number;
  },
  sample: ImpactReportView['sample'] = null,
): ImpactReportView => ({
  id: '01900000-0000-7000-8000-000000000001',
  change_id: null,
  phase: 'done',
  since: '2026-06-01T00:00:00.000Z',
  until: '2026-07-01T00:00:00.000Z',
  created_at: '2026-07-01T00:00:00.000Z',
  finished_at: '2026-07-01T00:00:00.000Z',
  bundle_revision: 'sha256:1',
  looser: looser > 0,
  progress: { looked, to_look_at: looked },
  sample,
  decisions: { total, untouched: 0, same: 0, changed, looser, not_put: notPut, otherwise_today: 0 },
  by: { environment: [], tool: [], agent: [] },
  groups: [],
  ungrouped: 0,
  not_put: [],
  cells: [],
  beyond_cells: [],
});
const SAMPLE = [{ entrypoint: 'plan', outcome: 'deny', total: 500, chosen: 200 }];

describe('the headline of an impact report', () => {
  it('counts the decisions of the period if all were put again', () => {
    const report = reportOf({ looked: 16, total: 16, notPut: 0, changed: 12, looser: 4 });
    expect(headline(report)).toMatch(/^12 of 16 decisions from .*, 4 of them looser\.$/);
    expect(verdict(report)).toBe('The change lets pass what was held back.');
  });

  it('does not count as harmless a decision that could not be put again', () => {
    const report = reportOf({ looked: 5000, total: 5000, notPut: 3800 });
    expect(headline(report)).toMatch(/^None of the 1200 decisions put again \(3800 could not be\) from /);
    expect(verdict(report)).toContain('It is not known');
    expect(verdict(reportOf({ looked: 5000, total: 5000, notPut: 0 }))).toBe('Nothing that was held back would pass.');
  });

  it('counts only the decisions of a sample', () => {
    expect(headline(reportOf({ looked: 200, total: 500, notPut: 0 }, SAMPLE))).toMatch(
      /^None of the 200 decisions looked at \(a sample of 500\) from /,
    );
    expect(headline(reportOf({ looked: 200, total: 500, notPut: 50, changed: 3 }, SAMPLE))).toMatch(
      /^3 of the 150 decisions put again \(50 could not be; a sample of 500\) from /,
    );
  });
});
