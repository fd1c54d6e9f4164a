import { NO_PROGRESS, toLookAt, type Progress } from './impact-report.js';
import type { Stratum } from './strata.js';
import { summaryOf } from './summary.js';
import { NOTHING_YET, type Tally } from './tally.js';
import type { WorldChange } from './world.js';

const summary = (
  strata: readonly Stratum[],
  tally: Partial<Tally>,
  more: Partial<Progress> = {},
  change: WorldChange | null = null,
): string =>
  summaryOf({
    change,
    since: Date.UTC(2026, 5, 1),
    until: Date.UTC(2026, 6, 1),
    progress: {
      ...NO_PROGRESS,
      strata,
      tally: { ...NOTHING_YET, looked: toLookAt({ ...NO_PROGRESS, strata }), ...tally },
      ...more,
    },
  });
const stratum = (total: number, part: number): Stratum[] => [{ entrypoint: 'plan', outcome: 'deny', total, part }];
const otherwise = (changed: number, looser: number, weight = 1): Partial<Tally> => ({
  changed,
  looser,
  estimates: { ...NOTHING_YET.estimates, changed: changed * weight, looser: looser * weight },
});
const notPut = (count: number, estimate: number): Partial<Tally> => ({
  notPut: [{ why: 'masked', count, estimate, examples: [] }],
});

describe('the summary of a report', () => {
  it.each<[string, string, string]>([
    ['no decision', summary([], {}), 'There are no decisions of the last 30 days.'],
    [
      'all of them',
      summary(stratum(1_600, 1), otherwise(12, 4)),
      '12 of 1,600 decisions of the last 30 days would have come out otherwise, 4 of them looser.',
    ],
    [
      'none that is looser, and cells',
      summary(stratum(16, 1), otherwise(1, 0), { cells: { found: 9, looser: 2 } }),
      '1 of 16 decisions of the last 30 days would have come out otherwise, none of them looser. 2 cells in force become looser.',
    ],
    [
      'a setting that no cell shows',
      summary(
        stratum(16, 1),
        {},
        {},
        {
          ...{ tools: {}, environments: {}, safeTools: {} },
          autonomy: {
            before: { autonomy: { mode: 'plan_only' } },
            after: {
              autonomy: { mode: 'plan_only' },
              emergency_override: { enabled: true, allowed_roles: ['SRELead'] },
            },
          },
        },
      ),
      'None of 16 decisions of the last 30 days would have come out otherwise. 1 setting beyond cells becomes looser.',
    ],
    [
      'an estimate, never a count of the sample',
      summary(stratum(61_200, 5_000 / 61_200), otherwise(102, 51, 12.24)),
      'About 1,200 of 61,200 decisions of the last 30 days would have come out otherwise, about 620 of them looser, as a sample of 5,000 says.',
    ],
    [
      'nothing found in a sample',
      summary(stratum(61_200, 5_000 / 61_200), {}),
      'None of a sample of 5,000 of 61,200 decisions of the last 30 days would have come out otherwise.',
    ],
    [
      'only decisions that could be taken again as harmless',
      summary(stratum(5_000, 1), notPut(3_800, 3_800)),
      'None of the 1,200 decisions of the last 30 days that could be taken again would have come out otherwise. 3,800 could not be.',
    ],
    [
      'the same of a sample',
      summary(stratum(5_000, 0.1), notPut(200, 2_000)),
      'None of a sample of 300 of about 3,000 decisions of the last 30 days that could be taken again would have come out otherwise. About 2,000 could not be.',
    ],
    [
      'decisions that are not in the database',
      summary([], {}, { away: ['2026-05', '2026-06'], cells: { found: 2, looser: 2 } }),
      'There are no decisions of the last 30 days. The decisions of 2026-05 and 2026-06 are not in the database, so they are not counted. 2 cells in force become looser.',
    ],
  ])('%s', (_what, text, expected) => {
    expect(text).toBe(expected);
  });
});
