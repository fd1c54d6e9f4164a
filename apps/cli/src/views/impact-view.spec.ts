import { stripVTControlCharacters } from 'node:util';
import type { ImpactReportView } from '#lib/api-schemas';
import { impactMarkdown } from './impact-markdown.js';
import { impactLines, verdict } from './impact-view.js';

const RESULTS = {
  untouched: 0,
  same: 0,
  changed: 0,
  looser: 0,
  not_put: 0,
  otherwise_today: 0,
  ungrouped: 0,
  ungrouped_looser: 0,
  uncounted: 0,
  uncounted_looser: 0,
};
const reportOf = (more: Partial<ImpactReportView> = {}): ImpactReportView => ({
  id: '01900000-0000-7000-8000-000000000001',
  change_id: null,
  phase: 'done',
  outdated: false,
  renewals: 0,
  failure: null,
  summary: 'The result in one line.',
  since: '2026-06-01T00:00:00.000Z',
  until: '2026-07-01T00:00:00.000Z',
  created_at: '2026-07-01T00:00:00.000Z',
  finished_at: '2026-07-01T00:00:00.000Z',
  bundle_revision: 'sha256:1',
  looser: false,
  progress: { looked: 16, to_look_at: 16 },
  sample: null,
  months_away: [],
  decisions: { ...RESULTS, total: 16 },
  estimates: RESULTS,
  left_out: { environment: 0, tool: 0, agent: 0 },
  by: { environment: [], tool: [], agent: [] },
  group_count: 0,
  groups: [],
  not_put: [],
  cells: [],
  cell_counts: { found: 0, looser: 0 },
  beyond_cells: [],
  ...more,
});
const group: ImpactReportView['groups'][number] = {
  entrypoint: 'tool_call',
  stage: null,
  environment: 'staging',
  tools: ['wipe'],
  agent: null,
  from: 'require_approval',
  to: 'require_approval',
  change: 'loosens',
  what: ['approvals: 2 of any becomes 1 of any'],
  rules_come: [{ rule: 'countersign.session.cautious', code: 'session.asks' }],
  rules_go: [{ rule: 'countersign.matrix', code: 'autonomy.plan_only' }],
  rules_otherwise: [{ rule: 'countersign.approvals.slots', asks: 'approvals' }],
  count: 10,
  estimate: 122,
  examples: [],
};
const ofSample = (): ImpactReportView =>
  reportOf({
    sample: [{ entrypoint: 'tool_call', outcome: 'deny', total: 61_200, chosen: 5_000 }],
    // Each is chosen by its own id, so that a sample is not exactly as large as planned.
    progress: { looked: 4_987, to_look_at: 5_000 },
    decisions: { ...RESULTS, total: 61_200, changed: 10, looser: 10, otherwise_today: 7, not_put: 3 },
    estimates: { ...RESULTS, changed: 122, looser: 122, otherwise_today: 86, not_put: 37 },
    by: {
      environment: [{ name: 'staging', changed: 10, looser: 10, changed_estimate: 122, looser_estimate: 122 }],
      tool: [],
      agent: [],
    },
    group_count: 1,
    groups: [group],
    not_put: [{ why: 'masked', what: 'It hides a secret', count: 3, estimate: 37, examples: [] }],
  });
const terminal = (report: ImpactReportView): string => stripVTControlCharacters(impactLines(report).join('\n'));
const markdown = (report: ImpactReportView): string => impactMarkdown(report, 'https://countersign.example').join('\n');

describe('an impact report', () => {
  it('says that it is not known if decisions could not be put again or are not in the database', () => {
    const unknown =
      'Nothing looser was found. It is not known for decisions that could not be put again or are not in the database.';
    expect(verdict(reportOf({ decisions: { ...RESULTS, total: 16, not_put: 1 } }))).toBe(unknown);
    expect(verdict(reportOf({ months_away: ['2026-06'] }))).toBe(unknown);
    expect(verdict(reportOf())).toBe('Nothing that was held back would pass.');
    expect(verdict(reportOf({ looser: true }))).toBe('The change lets pass what was held back.');
  });

  it('never shows a count of a sample as one of the period', () => {
    for (const shown of [terminal(ofSample()), markdown(ofSample())]) {
      expect(shown).toContain('estimates from a sample of 4,987 of 61,200 decisions');
      expect(shown).toContain('about 120');
      expect(shown).toContain('About 86 decisions come out otherwise');
      expect(shown).toContain('About 37 decisions could not be put again');
      expect(shown).not.toMatch(/\b10\b/);
    }
    expect(markdown(ofSample())).toContain('| staging | about 120 | about 120 |');
  });

  it('names the rules that made the difference, also those that ask for something else', () => {
    expect(terminal(ofSample())).toContain(
      '+countersign.session.cautious (session.asks) -countersign.matrix (autonomy.plan_only) ~countersign.approvals.slots (approvals)',
    );
    expect(markdown(ofSample())).toContain('\\~countersign.approvals.slots (approvals)');
  });

  it('names a decision that could not be put again', () => {
    const page = { name: 'run …5e6f7a8b', path: '/runs/01900000-0000-7000-8000-00005e6f7a8b' };
    const subject = { type: 'run', id: '01900000-0000-7000-8000-00005e6f7a8b' };
    const example = { decision_id: subject.id, decided_at: '2026-06-01T00:00:00.000Z', subject, within: [], page };
    const report = reportOf({
      not_put: [{ why: 'masked', what: 'It hides a secret', count: 3, estimate: 3, examples: [example] }],
    });
    expect(terminal(report)).toContain(`It hides a secret. For example: run ${subject.id}.`);
    expect(markdown(report)).toContain(`For example: [${page.name}](https://countersign.example${page.path}).`);
  });

  it('explains the signs of rules, and not without a difference', () => {
    for (const shown of [terminal(ofSample()), markdown(ofSample())]) expect(shown).toContain('only with the change');
    for (const shown of [terminal(reportOf()), markdown(reportOf())]) expect(shown).not.toContain('Rules:');
  });

  it('is short enough for a comment, with the cells in force first, and says how many rows it leaves out', () => {
    const cell = (index: number): ImpactReportView['cells'][number] => ({
      ...{ environment: 'production', tool: `tool-${String(index)}`, mode: 'full_auto', in_force: index === 4_999 },
      ...{
        from: 'require_approval',
        to: 'require_approval',
        gains: ['looser'],
        what: ['approvals: 2 of any becomes 1 of any'],
      },
    });
    const many = reportOf({
      ...{ group_count: 500, groups: Array.from({ length: 500 }, () => group) },
      cells: Array.from({ length: 5_000 }, (_, index) => cell(index)),
    });
    const shown = markdown(many);
    expect(shown.length).toBeLessThanOrEqual(60_000);
    expect(shown.length).toBeGreaterThan(40_000);
    expect(shown).toContain('| production | tool-4999 | full\\_auto | yes |');
    const left = [...shown.matchAll(/^([\d,]+) more rows are left out/gm)].map(([, count]) => count);
    expect(left).toHaveLength(2);
    expect(shown.split('\n').filter((line) => line.startsWith('| production | tool-'))).toHaveLength(
      5_000 - Number(left[1]?.replace(',', '')),
    );
  });

  it('bounds the list of looser settings beyond the cells', () => {
    const shown = markdown(
      reportOf({ beyond_cells: Array.from({ length: 2_000 }, (_, at) => `quota ${String(at)} of ${'x'.repeat(80)}`) }),
    );
    expect(shown.length).toBeLessThanOrEqual(60_000);
    expect(shown).toContain('| quota 0 of ');
    expect(shown).toMatch(/^[\d,]+ more rows are left out/m);
  });

  it('says that the list of kinds is bounded, and that the totals are not', () => {
    const many = reportOf({
      group_count: 1_312,
      groups: [group],
      decisions: { ...RESULTS, total: 1_600, changed: 1_500, ungrouped: 1_490 },
      estimates: { ...RESULTS, changed: 1_500, ungrouped: 1_490 },
      by: {
        ...{ environment: [], tool: [] },
        agent: Array.from({ length: 10 }, (_, index) => ({
          ...{ name: `bot-${String(index)}`, changed: 150, looser: 0, changed_estimate: 150, looser_estimate: 0 },
        })),
      },
    });
    for (const shown of [terminal(many), markdown(many)])
      expect(shown).toContain(
        'The 1 largest of 1,312 kinds of differences are listed. The others have 1,490 decisions, none of them looser; the totals by environment, tool and agent count them, too.',
      );
    expect(terminal(many)).toMatch(/By agent: bot-0 150; .*bot-7 150; 2 more\./);
    expect(markdown(many)).toContain('| bot-9 | 150 | 0 |');
    expect(terminal(ofSample())).toContain('By environment: staging about 120, about 120 looser.');
    for (const shown of [terminal(ofSample()), markdown(ofSample())]) expect(shown).not.toContain('largest of');
  });

  it('says which decisions stand in no row and no total, and how many names are left out', () => {
    const one = { name: 'bot', changed: 1, looser: 0, changed_estimate: 1, looser_estimate: 0 };
    const left = { ungrouped: 7_990, ungrouped_looser: 110, uncounted: 1_200, uncounted_looser: 7 };
    const many = reportOf({
      group_count: 2_000,
      groups: [group],
      decisions: { ...RESULTS, total: 9_000, changed: 8_000, ...left },
      estimates: { ...RESULTS, changed: 8_000, ...left },
      by: { environment: [], tool: [one], agent: [one] },
      left_out: { environment: 0, tool: 1, agent: 1_300 },
    });
    for (const shown of [terminal(many), markdown(many)]) {
      expect(shown).toContain('The 1 largest of the 2,000 kinds kept are listed.');
      expect(shown).toContain('The others have 6,790 decisions, 103 of them looser; the totals');
      expect(shown).toContain(
        '1,200 decisions of further kinds, 7 of them looser, are in no row and in none of these totals.',
      );
    }
    expect(terminal(many)).toContain('By agent: bot 1; 1,300 more.');
    expect(markdown(many)).toContain('1,300 smaller agents left out.');
    expect(markdown(many)).toContain('1 smaller tool left out.');
    expect(markdown(many)).not.toContain('environments left out');
  });

  it('links a page of each kind of difference, and writes an outcome that stays once', () => {
    const id = '01900000-0000-7000-8000-000000000002';
    const example = {
      ...{ decision_id: id, decided_at: '2026-06-01T00:00:00.000Z', subject: { type: 'plan', id }, within: [] },
      page: { name: 'plan …00000002', path: `/plans/${id}` },
    };
    const shown = markdown(reportOf({ groups: [{ ...group, examples: [example] }] }));
    expect(shown).toContain(`| [plan …00000002](https://countersign.example/plans/${id}) |`);
    expect(shown).toContain('| require\\_approval | approvals: 2 of any becomes 1 of any |');
    expect(terminal(reportOf({ groups: [{ ...group, examples: [example] }] }))).toContain(`plan ${id}`);
  });

  it('says that settings have moved since', () => {
    const moved = reportOf({ outdated: true });
    for (const shown of [terminal(moved), markdown(moved)]) expect(shown).toContain('have moved since');
    expect(terminal(reportOf())).not.toContain('have moved since');
  });
});
