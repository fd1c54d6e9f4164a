import type { LogFollowing, PersonPrincipal } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { ChangeCollector } from './change-collector.js';
import { FakeCollectors } from './fake-collectors.js';
import { RemoveCollector } from './remove-collector.js';
import { SetCollectorToken } from './set-collector-token.js';
import type { MayConnect } from './siem.ports.js';

const settings = (path: string) => ({ url: `https://siem.example.com/${path}`, ca: null });

/** The use cases of a tenant over fakes. */
function changing(secondPerson: boolean, verdict: Awaited<ReturnType<MayConnect>> = 'public') {
  const { uow, home } = fakeClockedWorld();
  const [collectors, audit] = [new FakeCollectors(uow), new FakeAuditSink(uow)];
  const twoPersonRule = new FakeTwoPersonRule(uow, secondPerson);
  const followed = new Set<string>();
  const following: LogFollowing = {
    begin: (_tx, name) => Promise.resolve(void followed.add(name)),
    end: (_tx, name) => Promise.resolve(void followed.delete(name)),
  };
  const by: PersonPrincipal = { ...home.admin, reason: 'The SIEM needs it.' };
  const mayConnect = () => Promise.resolve(verdict);
  const change = new ChangeCollector(uow, { collectors, following, mayConnect, twoPersonRule, audit });
  const token = new SetCollectorToken(uow, collectors, audit);
  const remove = new RemoveCollector(uow, collectors, following, twoPersonRule, audit);
  return {
    ...{ followed, by, home },
    change: (path: string) => change.execute(by, settings(path)),
    address: (url: string, ca: string | null = null) => change.execute(by, { url, ca }),
    token: (value: string | null) => token.execute(by, value),
    remove: () => remove.execute(by),
    found: () => uow.run(home.tenantId, (tx) => collectors.find(tx)),
    recorded: () => audit.of(home).map(({ action, payload }) => ({ action, payload })),
  };
}

describe('the collector of a tenant', () => {
  it('waits for a second person, and nothing is sent before', async () => {
    const collector = changing(true);
    expect(await collector.change('one')).toMatchObject({ ok: true, value: { outcome: 'waits' } });
    expect([await collector.found(), collector.followed.size]).toEqual([null, 0]);
  });

  it('follows the log once it is added, until it is removed', async () => {
    const collector = changing(false);
    await collector.change('one');
    expect(await collector.found()).toMatchObject({ url: 'https://siem.example.com/one', hasToken: false });
    expect([...collector.followed]).toEqual(['siem_collector']);
    expect(await collector.remove()).toMatchObject({ ok: true });
    expect([await collector.found(), collector.followed.size]).toEqual([null, 0]);
    const actions = collector.recorded().map(({ action }) => action);
    expect(actions).toEqual(['siem_collector.added', 'siem_collector.removed']);
  });

  it('loses its token with its address, and the audit log never has it', async () => {
    const collector = changing(false);
    await collector.change('one');
    await collector.token('hec-token');
    expect((await collector.found())?.hasToken).toBe(true);
    await collector.change('two');
    expect((await collector.found())?.hasToken).toBe(false);
    expect(JSON.stringify(collector.recorded())).not.toContain('hec-token');
  });

  it('T31: is refused at an address that the operator does not allow, and in the clear', async () => {
    const code = 'siem.address_not_allowed';
    expect(await changing(false, 'refused').change('one')).toMatchObject({ ok: false, error: { code } });
    for (const url of [
      'http://siem.example.com',
      'https://user:pass@siem.example.com',
      'https://siem.example.com/?a=1',
    ])
      expect(await changing(false).address(url)).toMatchObject({ ok: false, error: { code } });
    expect(await changing(false).address('https://siem.example.com/', 'no certificate')).toMatchObject({
      ok: false,
      error: { code: 'siem.authority_invalid' },
    });
  });

  it('has no token, and cannot be removed, before it is there', async () => {
    const collector = changing(false);
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await collector.token('hec-token')).toMatchObject(missing);
    expect(await collector.remove()).toMatchObject(missing);
  });
});
