import { seriesOf, thresholdsOf } from './health-series.js';
import type { Health } from './run-timeline.js';

it.each([
  [null, []],
  ['web.error_rate > 0.05', [['web.error_rate', '>', 0.05]]],
  [
    'web.error_rate >= 0.05 or (db.lag_seconds > 30 and not web.unhealthy < 1)',
    [
      ['web.error_rate', '>=', 0.05],
      ['db.lag_seconds', '>', 30],
      ['web.unhealthy', '<', 1],
    ],
  ],
])('%j names limits', (condition, expected) => {
  expect(thresholdsOf(condition).map(({ metric, operator, limit }) => [metric, operator, limit])).toEqual(expected);
});

const measured = (batch: number, metrics: Record<string, number>, verdict: Health['verdict'] = 'healthy'): Health => ({
  phase_index: 0,
  batch_index: batch,
  health_round: 1,
  metrics,
  condition: 'web.error_rate > 0.05 or web.unhealthy > 2',
  verdict,
  explanation: '',
  evaluated_at: `2026-01-01T00:00:0${String(batch)}.000Z`,
});

it('a series has one line a limit, and leaves out missing measurements', () => {
  const series = seriesOf(
    [measured(0, { 'web.error_rate': 0.01 }), measured(1, { 'web.error_rate': 0.2, 'web.unhealthy': 3 }, 'roll_back')],
    new Map([[0, 'canary']]),
  );
  expect(
    series.map(({ threshold, points }) => [threshold.metric, points.map(({ value, where }) => [value, where])]),
  ).toEqual([
    [
      'web.error_rate',
      [
        [0.01, 'canary, batch 1'],
        [0.2, 'canary, batch 2'],
      ],
    ],
    ['web.unhealthy', [[3, 'canary, batch 2']]],
  ]);
});
