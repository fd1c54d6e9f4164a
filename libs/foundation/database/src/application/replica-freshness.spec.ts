import { newId, type TenantId } from '#lib/kernel';
import { MAX_BEHIND_MS, ReplicaFreshness } from './replica-freshness.js';

const [one, other] = [newId<TenantId>(), newId<TenantId>()];

/** The replica has replayed what was there at time 10. */
function fresh(): ReplicaFreshness {
  const freshness = new ReplicaFreshness();
  freshness.sampled(10, 100n);
  freshness.replayed(100n);
  return freshness;
}

describe('a replica', () => {
  it('shows nothing before it has reached a position of the primary', () => {
    const freshness = new ReplicaFreshness();
    expect(freshness.shows(one, 0)).toBe(false);
    freshness.sampled(10, 100n);
    freshness.replayed(99n);
    expect(freshness.shows(one, 11)).toBe(false);
  });

  it('shows the past for as long as it is not too old', () => {
    expect([11, 10 + MAX_BEHIND_MS, 11 + MAX_BEHIND_MS].map((now) => fresh().shows(one, now))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('shows a tenant its own write once the replica has passed it, and others meanwhile', () => {
    const freshness = fresh();
    freshness.wrote(one, 20);
    expect([freshness.shows(one, 21), freshness.shows(other, 21)]).toEqual([false, true]);
    // This position was asked for before the commit was answered.
    freshness.sampled(20, 150n);
    freshness.replayed(150n);
    expect(freshness.shows(one, 22)).toBe(false);
    freshness.sampled(30, 200n);
    freshness.replayed(250n);
    expect(freshness.shows(one, 31)).toBe(true);
  });

  it('shows nothing once it is lost', () => {
    const freshness = fresh();
    freshness.lost();
    expect(freshness.shows(one, 11)).toBe(false);
  });
});
