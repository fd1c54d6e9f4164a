import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { ImpactReportView } from '#lib/api-schemas';
import { ImpactReport } from './impact-report.js';

// It needs a window, which is not there when a card is rendered to text.
jest.mock('../api/attendance.js', () => ({ isAttended: () => false }));

const RESULTS = {
  ...{ untouched: 0, same: 0, changed: 0, looser: 0, not_put: 0, otherwise_today: 0 },
  ...{ ungrouped: 0, ungrouped_looser: 0, uncounted: 0, uncounted_looser: 0 },
};
const AT = '2026-07-01T00:00:00.000Z';
const done: ImpactReportView = {
  ...{ id: '01900000-0000-7000-8000-000000000001', change_id: null, phase: 'done', outdated: false, renewals: 0 },
  ...{ failure: null, summary: 'The result in one line.', since: '2026-06-01T00:00:00.000Z', until: AT },
  ...{ created_at: AT, finished_at: AT, bundle_revision: 'sha256:1', looser: false, sample: null, months_away: [] },
  ...{ progress: { looked: 16, to_look_at: 16 }, decisions: { ...RESULTS, total: 16 }, estimates: RESULTS },
  ...{ left_out: { environment: 0, tool: 0, agent: 0 }, by: { environment: [], tool: [], agent: [] } },
  ...{ group_count: 0, groups: [], not_put: [], cells: [], cell_counts: { found: 0, looser: 0 }, beyond_cells: [] },
};
const ONE_NOT_PUT = { ...done.decisions, not_put: 1 };

it.each<[string, Partial<ImpactReportView>]>([
  ['nothing looser', {}],
  ['not known', { months_away: ['2026-06'] }],
  ['not known', { decisions: ONE_NOT_PUT }],
  ['looser', { looser: true, months_away: ['2026-06'], decisions: ONE_NOT_PUT }],
])('the badge of a report says "%s" for %j', (badge, more) => {
  const card = renderToStaticMarkup(createElement(ImpactReport, { report: { ...done, ...more } }));
  const [, shown] = /<\/h2><span[^>]*>([^<]+)<\/span>/.exec(card) ?? [];
  expect(shown).toBe(badge);
});
