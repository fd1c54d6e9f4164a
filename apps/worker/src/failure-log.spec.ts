import { newId, type TenantId } from '#lib/kernel';
import { jobFacts, FailureLog } from './failure-log.js';

const AWAY = new Error('connect ECONNREFUSED');

describe('failures of work that is tried again every second', () => {
  let now: number;
  let lines: unknown[];
  let quiet: number;
  let failures: FailureLog;
  beforeEach(() => {
    [now, lines, quiet] = [0, [], 0];
    failures = new FailureLog(
      { error: (facts: object, words?: string) => void lines.push([words, facts]), debug: () => void (quiet += 1) },
      () => now,
    );
  });

  it('are errors in the log once for each reason, and lines for debugging then', () => {
    for (let second = 0; second < 60; second += 1) {
      now = second * 1_000;
      failures.record(AWAY, 'the look failed');
      failures.record(AWAY, 'the loop failed', { tenant_id: null });
    }
    expect(lines).toEqual([
      ['the look failed', { err: AWAY }],
      ['the loop failed', { err: AWAY, tenant_id: null }],
    ]);
    expect(quiet).toBe(118);
  });

  it('are errors again after ten minutes, with the number of repetitions', () => {
    for (const at of [0, 1, 599_999, 600_000]) {
      now = at;
      failures.record(AWAY, 'the look failed');
    }
    expect(lines).toEqual([
      ['the look failed', { err: AWAY }],
      ['the look failed', { err: AWAY, repeated: 2 }],
    ]);
  });

  it('keep their number of repetitions if another reason is logged again before them', () => {
    for (const at of [0, 300_000, 600_000]) {
      now = at;
      failures.record(AWAY, 'the look failed');
      failures.record(AWAY, 'the loop failed');
    }
    expect(lines.slice(2)).toEqual([
      ['the look failed', { err: AWAY, repeated: 1 }],
      ['the loop failed', { err: AWAY, repeated: 1 }],
    ]);
  });

  it('are logged at once for another reason', () => {
    failures.record(AWAY, 'the look failed');
    failures.record(new Error('permission denied'), 'the look failed');
    expect(lines).toHaveLength(2);
  });
});

describe('a job that failed', () => {
  const row = { name: 'run.advance', tenantId: newId<TenantId>(), id: newId() } as const;
  const failure = (code: string): Error => Object.assign(new Error(code), { code });

  it('is logged with its tenant and its row', () => {
    const facts = { job: 'run.advance', tenant_id: row.tenantId, id: row.id };
    expect(jobFacts(new Error('the row is malformed'), row)).toEqual(facts);
    expect(jobFacts(failure('55P03'), row)).toEqual(facts);
  });

  it.each(['ECONNREFUSED', '57P01', '53100'])(
    'is logged once for all rows if the database fails them all (%s)',
    (code) => {
      expect(jobFacts(failure(code), row)).toEqual({ job: 'run.advance' });
    },
  );
});
