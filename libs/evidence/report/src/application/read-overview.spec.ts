import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ReadOverview } from './read-overview.js';

const APPROVED = { day: '2026-01-04', approved: 2, p50_seconds: 60, p90_seconds: 90 };
const DECIDED = { day: '2026-01-05', allow: 1, require_approval: 2, deny: 3 };

describe('the overview', () => {
  it('has a value for each day up to today, also for a day without any', async () => {
    const { uow, home } = fakeWorld();
    const asked: number[] = [];
    const standing = { waiting: 'w', running: 'r', active_halts: 'h', incidents: 'i' } as never;
    const since = <Row>(rows: readonly Row[]) => {
      return (_tx: unknown, at: number) => {
        asked.push(at);
        return Promise.resolve([...rows]);
      };
    };
    const overview = new ReadOverview(uow, {
      standing: () => Promise.resolve(standing),
      approvalTimes: since([APPROVED]),
      decisions: since([DECIDED]),
      monthsAway: (_tx, { from, until }) => {
        asked.push(from);
        return Promise.resolve(until === uow.now ? ['2026-01'] : []);
      },
    });
    expect(await overview.execute(home.tenantId, 3)).toEqual({
      ...(standing as object),
      approval_times: [
        { day: '2026-01-03', approved: 0, p50_seconds: null, p90_seconds: null },
        APPROVED,
        { day: '2026-01-05', approved: 0, p50_seconds: null, p90_seconds: null },
      ],
      decisions: [
        { day: '2026-01-03', allow: 0, require_approval: 0, deny: 0 },
        { day: '2026-01-04', allow: 0, require_approval: 0, deny: 0 },
        DECIDED,
      ],
      months_away: ['2026-01'],
    });
    const begins = Date.UTC(2026, 0, 3);
    expect(asked).toEqual([begins, begins, begins]);
  });
});
