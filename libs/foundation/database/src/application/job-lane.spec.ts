import { newId, type TenantId } from '#lib/kernel';
import { JobLane, type Job } from './job-lane.js';

const [loud, quiet] = [newId<TenantId>(), newId<TenantId>()];
const job = (tenantId: TenantId, id = newId()): Job => ({ tenantId, id, trace: null, hinted: true });
const jobs = (tenantId: TenantId, count: number): Job[] => Array.from({ length: count }, () => job(tenantId));
const limits = { atOnce: 4, waitingOfTenant: 5, waiting: 8 };

describe('a lane of jobs', () => {
  let lane: JobLane;
  beforeEach(() => {
    lane = new JobLane(limits);
  });
  const takeAll = (): Job[] => {
    const taken: Job[] = [];
    for (let next = lane.take(); next !== null; next = lane.take()) taken.push(next);
    return taken;
  };

  it('works on as many at once as it may, in the order they came', () => {
    const all = [...jobs(loud, 2), ...jobs(quiet, 2), job(newId<TenantId>())];
    for (const each of all) lane.hint(each);
    const taken = takeAll();
    expect([taken.length, lane.running, lane.waiting]).toEqual([4, 4, 1]);
    lane.done(taken[0]?.id ?? '', false, 0);
    expect(takeAll()).toHaveLength(1);
  });

  it('leaves turns to others, however loud one tenant is', () => {
    for (const each of jobs(loud, 5)) lane.hint(each);
    expect(takeAll().map(({ tenantId }) => tenantId)).toEqual([loud, loud, loud]);
    const other = job(quiet);
    lane.hint(other);
    expect(takeAll()).toEqual([other]);
  });

  it('gives the next turn to the tenant that has the fewest jobs under way', () => {
    for (const each of jobs(loud, 5)) lane.hint(each);
    const [first] = takeAll();
    const [one, two] = jobs(quiet, 2);
    for (const each of [one, two]) if (each !== undefined) lane.hint(each);
    expect(takeAll()).toEqual([one]);
    lane.done(first?.id ?? '', false, 0);
    expect(takeAll()).toEqual([two]);
  });

  it('says whether a hint named the job, even if a look found it before', () => {
    const [one, two] = jobs(loud, 2).map((each) => ({ ...each, hinted: false }));
    if (one === undefined || two === undefined) throw new Error('no jobs');
    lane.found(one, 0);
    lane.found(two, 0);
    lane.hint({ ...two, hinted: true });
    lane.found(two, 0);
    expect(takeAll().map(({ hinted }) => hinted)).toEqual([false, true]);
  });

  it('works on a job once, and again if a hint came meanwhile', () => {
    const one = job(loud);
    lane.hint(one);
    lane.hint(one);
    lane.found(one, 0);
    expect(takeAll()).toEqual([one]);
    lane.found(one, 0);
    lane.done(one.id, false, 0);
    expect(takeAll()).toEqual([]);
    lane.hint(one);
    expect(takeAll()).toEqual([one]);
    lane.hint(one);
    expect(takeAll()).toEqual([]);
    lane.done(one.id, false, 0);
    expect(takeAll()).toEqual([one]);
  });

  it('works on a row that stays due once a round', () => {
    const one = job(loud);
    lane.found(one, 0);
    takeAll();
    lane.done(one.id, false, 0);
    lane.found(one, 0);
    expect([takeAll(), lane.held(0).ids]).toEqual([[], [one.id]]);
    lane.beginRound();
    lane.found(one, 0);
    expect(takeAll()).toEqual([one]);
  });

  it('lets a failed job rest, twice as long each time up to a minute, and a hint ends the rest', () => {
    const one = job(loud);
    const failAt = (now: number): void => {
      lane.beginRound();
      lane.found(one, now);
      expect(takeAll()).toEqual([one]);
      lane.done(one.id, true, now);
      lane.beginRound();
    };
    let now = 0;
    for (const rest of [1, 2, 4, 8, 16, 32, 60, 60]) {
      failAt(now);
      lane.found(one, now + rest * 1_000 - 1);
      expect(takeAll()).toEqual([]);
      now += rest * 1_000;
    }
    lane.hint(one);
    expect(takeAll()).toEqual([one]);
    lane.done(one.id, false, now);
    lane.beginRound();
    failAt(now);
    lane.found(one, now + 1_000);
    expect(takeAll()).toEqual([one]);
  });

  it('leaves jobs beyond its room in the database, and names the tenants that have enough in it', () => {
    const many = jobs(loud, 7);
    for (const each of many) lane.found(each, 0);
    const few = jobs(quiet, 5);
    for (const each of few) lane.found(each, 0);
    expect([lane.waiting, lane.full]).toEqual([8, true]);
    expect([...many.slice(4, 6), few[3]].map((each) => each !== undefined && lane.hint(each))).toEqual([
      true,
      false,
      false,
    ]);
    expect(lane.held(0)).toEqual({ ids: few.slice(0, 3).map(({ id }) => id), fullTenants: [loud] });
    lane.clear();
    expect([lane.waiting, lane.take()]).toEqual([0, null]);
  });
});
