import type { Json } from '#lib/canonical';
import { judgeHealth } from './judge-health.js';

const CONDITION = 'web.error_rate > 0.1';
const results = (metrics: Json): ReadonlyMap<string, Json> => new Map([['web', { ok: true, metrics }]]);

describe('the health after a batch', () => {
  it.each<[string, string | null, ReadonlyMap<string, Json>, verdict: string, explanation: string]>([
    ['no condition', null, new Map(), 'healthy', 'The phase has no rollback condition.'],
    ['a condition that is met', CONDITION, results({ error_rate: 0.2 }), 'roll_back', 'is met'],
    ['a condition that is not met', CONDITION, results({ error_rate: 0.1 }), 'healthy', 'is not met'],
    ['a metric that is missing', CONDITION, results({}), 'unclear', 'No health check gave web.error_rate.'],
    ['a metric of another check', CONDITION, new Map([['db', { metrics: { error_rate: 0 } }]]), 'unclear', 'gave web'],
    ['a metric that is no number', CONDITION, results({ error_rate: '0' }), 'unclear', 'gave web.error_rate'],
    ['metrics that are no object', CONDITION, results([0]), 'unclear', 'gave web.error_rate'],
    ['a result without metrics', CONDITION, new Map([['web', 'fine']]), 'unclear', 'gave web.error_rate'],
    ['a result that is null', CONDITION, new Map([['web', null]]), 'unclear', 'gave web.error_rate'],
    ['a result that is a list', CONDITION, new Map([['web', [{ metrics: { error_rate: 0 } }]]]), 'unclear', 'gave web'],
    ['a condition that cannot be read', 'web.error_rate >', results({ error_rate: 0 }), 'unclear', 'cannot be read'],
  ])('of %s: %s', (_what, condition, given, verdict, explanation) => {
    const judged = judgeHealth(condition, given);
    expect(judged.verdict).toBe(verdict);
    expect(judged.explanation).toContain(explanation);
  });

  it('keeps the finite numbers of every check, by the names that conditions use', () => {
    const given = new Map<string, Json>([
      ['web', { metrics: { error_rate: 0.2, note: 'fine', p99: 250 } }],
      ['db', { metrics: { lag: 0 } }],
    ]);
    const metrics = { 'web.error_rate': 0.2, 'web.p99': 250, 'db.lag': 0 };
    for (const condition of [null, CONDITION, 'nonsense', 'db.none > 1'])
      expect(judgeHealth(condition, given).metrics).toEqual(metrics);
    expect(judgeHealth(null, results([0])).metrics).toEqual({});
  });
});
