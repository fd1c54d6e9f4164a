import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { PresentWorld, ProposedConfiguration } from '../domain/proposed-world.js';
import { AskImpact, newReport } from './ask-impact.js';
import { FakeImpactReportRepository } from './fake-impact-report.repository.js';
import { FakeSettingsStamps } from './fake-settings-stamps.js';

const DAY_MS = 86_400_000;
const NO_PRODUCTION: ProposedConfiguration = { environments: { live: false } };

/** A tenant with one environment, of production. */
function askingWorld() {
  const { uow, home } = fakeWorld();
  const reports = new FakeImpactReportRepository(uow);
  const jobs = new FakeJobQueue(uow);
  const stamps = new FakeSettingsStamps();
  const present = (): PresentWorld => {
    const world = {
      ...{ tools: [], environmentNames: { e: 'live' } },
      world: { autonomy: null, tools: {}, environments: { live: true }, safeTools: {} },
    };
    // Somebody changes the settings while they are read.
    stamps.stamp = 'second';
    return world;
  };
  const worlds = { present: () => Promise.resolve(present()) };
  const asking = new AskImpact(uow, reports, worlds, stamps, jobs);
  const { personId } = home.admin;
  const insert = (about: Parameters<typeof newReport>[3], at = uow.now) =>
    uow.run(home.tenantId, (tx) => reports.insert(tx, newReport(personId, at, 30, about)));
  return {
    ...{ uow, insert },
    ask: (wanted = NO_PRODUCTION, days = 30) => asking.execute(home.admin, wanted, days),
    unfinished: () => uow.run(home.tenantId, (tx) => reports.unfinished(tx)),
    woken: () => jobs.of(home),
  };
}

describe('the impact of a configuration that is not in force', () => {
  it('is worked out over the days that were asked for, in comparison with the settings of that moment', async () => {
    const { ask, uow, woken } = askingWorld();
    const asked = await ask(NO_PRODUCTION, 7);
    expect(asked).toMatchObject({
      ok: true,
      value: {
        ...{ phase: 'waiting', since: uow.now - 7 * DAY_MS, until: uow.now, stamp: 'first' },
        change: { environments: { live: { before: true, after: false } } },
      },
    });
    expect(woken()).toEqual([{ name: 'impact.advance', id: asked.ok ? asked.value.id : '' }]);
  });

  it('is refused while three reports of the tenant are at work, those of change requests left aside', async () => {
    const { ask, insert, unfinished } = askingWorld();
    await insert({ changeId: '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a' as never });
    for (let count = 0; count < 3; count += 1) expect(await ask()).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'impact.too_many', kind: 'rate_limited' } });
    expect(await unfinished()).toBe(3);
  });

  it('takes the place of those that were asked for more than a week ago', async () => {
    const { ask, insert, uow } = askingWorld();
    for (const age of [7 * DAY_MS, 7 * DAY_MS + 1, 8 * DAY_MS]) await insert({}, uow.now - age);
    for (let count = 0; count < 2; count += 1) expect(await ask()).toMatchObject({ ok: true });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'impact.too_many' } });
  });

  it('is refused, and kept nowhere, if a document is not valid', async () => {
    const { ask, unfinished, woken } = askingWorld();
    expect(await ask({ autonomy: 'mode: [' })).toMatchObject({ ok: false, error: { code: 'impact.unreadable' } });
    expect([await unfinished(), woken()]).toEqual([0, []]);
  });
});
