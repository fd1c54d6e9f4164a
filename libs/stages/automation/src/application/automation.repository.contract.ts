import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Automation } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationRepository } from './automation.ports.js';
import { sampleAutomation, sampleAutomationRevision } from './fake-automation.repository.js';

/** The contract of a repository of automations. */
export function describeAutomationRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly automations: AutomationRepository }>,
): void {
  describe(`${name} keeps the contract of AutomationRepository`, () => {
    let world: ContractWorld;
    let automations: AutomationRepository;
    beforeAll(async () => {
      ({ world, automations } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (proposedAt?: number): Promise<Automation> => {
      const automation = sampleAutomation(world.home, proposedAt);
      await atHome(async (tx) => {
        expect(await automations.insert(tx, automation)).toBe(true);
        await automations.addRevision(tx, automation.id, automation.revision);
      });
      return automation;
    };
    const found = (id: AutomationId) => atHome((tx) => automations.find(tx, id));
    const disabled = (automation: Automation): Automation => ({ ...automation, state: 'disabled', version: 2 });

    it('finds an inserted automation, whole', async () => {
      const automation = await kept();
      expect(await found(automation.id)).toEqual(automation);
      expect(await atHome((tx) => automations.lock(tx, automation.id))).toEqual(automation);
      expect(await elsewhere((tx) => automations.find(tx, automation.id))).toBeNull();
      expect(await elsewhere((tx) => automations.lock(tx, automation.id))).toBeNull();
      expect(await found(newId<AutomationId>())).toBeNull();
    });

    it('inserts nothing under a name that is taken', async () => {
      const { name } = await kept();
      const second = { ...sampleAutomation(world.home), name };
      expect(await atHome((tx) => automations.insert(tx, second))).toBe(false);
      expect(await found(second.id)).toBeNull();
    });

    it('puts another revision in force, and keeps a number once (23505)', async () => {
      const automation = await kept();
      const revision = sampleAutomationRevision(world.home, 2);
      await atHome((tx) => automations.addRevision(tx, automation.id, revision));
      expect(await found(automation.id)).toEqual(automation);
      const next = { ...automation, version: 2, revision };
      await atHome((tx) => automations.save(tx, next));
      expect(await found(automation.id)).toEqual(next);
      const source = (number: number) => (tx: Tx) => automations.source(tx, automation.id, number);
      expect(await atHome(source(1))).toBe(automation.revision.source);
      expect(await atHome(source(2))).toBe(revision.source);
      expect(await atHome(source(3))).toBeNull();
      expect(await elsewhere(source(1))).toBeNull();
      const again = atHome((tx) => automations.addRevision(tx, automation.id, revision));
      await expect(again).rejects.toMatchObject({ code: '23505' });
    });

    it('changes under the next version alone (CS001), along its lifecycle (CS002), and not from elsewhere', async () => {
      const automation = await kept();
      const save = (changed: Automation) => atHome((tx) => automations.save(tx, changed));
      await elsewhere((tx) => automations.save(tx, disabled(automation)));
      await expect(save({ ...disabled(automation), version: 3 })).rejects.toMatchObject({ code: 'CS001' });
      expect(await found(automation.id)).toEqual(automation);
      await save(disabled(automation));
      expect(await found(automation.id)).toEqual(disabled(automation));
      await expect(save({ ...automation, version: 3 })).rejects.toMatchObject({ code: 'CS002' });
    });

    it('takes another credential for the same agent', async () => {
      const { agent, admin, owner } = world.home;
      const identity = { agentId: agent.agentId, credentialId: agent.credentialId, ownerId: owner.personId };
      const enabled: Automation = { ...(await kept()), state: 'enabled', version: 2, identity };
      await atHome((tx) => automations.save(tx, enabled));
      const renewed: Automation = {
        ...enabled,
        version: 3,
        identity: { ...identity, credentialId: admin.credentialId },
      };
      await atHome((tx) => automations.save(tx, renewed));
      expect(await found(enabled.id)).toEqual(renewed);
    });

    it('saves its course apart from all the rest', async () => {
      const automation = await kept();
      const course = {
        failures: 2,
        lookedUntil: automation.proposedAt + 1,
        nextAt: automation.proposedAt + 2,
        listensFrom: null,
      };
      const { id } = automation;
      await elsewhere((tx) => automations.saveCourse(tx, { id, ...course }));
      expect(await found(id)).toEqual(automation);
      await atHome((tx) => automations.saveCourse(tx, { ...disabled(automation), ...course }));
      expect(await found(id)).toEqual({ ...automation, ...course });
      await atHome((tx) => automations.save(tx, disabled(automation)));
      expect(await found(id)).toEqual({ ...disabled(automation), ...course });
    });

    it('lists those that are enabled, and those of them that wait for events', async () => {
      const { agent, owner } = world.home;
      const identity = { agentId: agent.agentId, credentialId: agent.credentialId, ownerId: owner.personId };
      const [waiting, scheduled] = [await kept(), await kept()];
      const listensFrom = waiting.proposedAt + 5;
      for (const automation of [waiting, scheduled])
        await atHome((tx) => automations.save(tx, { ...automation, state: 'enabled', version: 2, identity }));
      await atHome((tx) => automations.saveCourse(tx, { ...waiting, listensFrom }));
      const enabled: Automation = { ...waiting, state: 'enabled', version: 2, identity, listensFrom };
      const bySchedule: Automation = { ...scheduled, state: 'enabled', version: 2, identity };
      const both = async (at: typeof atHome) =>
        (await at((tx) => automations.enabled(tx))).filter(({ id }) => [waiting.id, scheduled.id].includes(id));
      expect(await atHome((tx) => automations.listening(tx))).toEqual([enabled]);
      expect(await both(atHome)).toEqual([enabled, bySchedule]);
      expect(await elsewhere((tx) => automations.listening(tx))).toEqual([]);
      expect(await both(elsewhere)).toEqual([]);
      await atHome((tx) => automations.save(tx, { ...enabled, state: 'paused', version: 3 }));
      expect(await atHome((tx) => automations.listening(tx))).toEqual([]);
      expect(await both(atHome)).toEqual([bySchedule]);
    });

    it('counts waiting proposals, those of one actor, and the recent ones of that actor', async () => {
      const { author } = sampleAutomationRevision(world.home);
      const since = Date.UTC(2029, 0, 1);
      const count = (by = author) => atHome((tx) => automations.countProposed(tx, by, since));
      const before = await count();
      const automation = await kept(since + 1);
      await kept(since);
      expect(await count()).toEqual({ all: before.all + 2, own: before.own + 2, recent: before.recent + 1 });
      expect(await count({ ...author, id: newId() })).toEqual({ all: before.all + 2, own: 0, recent: 0 });
      expect(await atHome((tx) => automations.proposer(tx, automation.id))).toEqual(author);
      expect(await elsewhere((tx) => automations.proposer(tx, automation.id))).toBeNull();
      await atHome((tx) => automations.save(tx, disabled(automation)));
      expect(await count()).toEqual({ all: before.all + 1, own: before.own + 1, recent: before.recent + 1 });
      const none = { all: 0, own: 0, recent: 0 };
      expect(await elsewhere((tx) => automations.countProposed(tx, author, since))).toEqual(none);
    });

    it('frees the name of one that was disabled before it was ever enabled', async () => {
      const first = await kept();
      const second = { ...sampleAutomation(world.home), name: first.name };
      const isTaken = (of: Automation) => atHome((tx) => automations.isNameTaken(tx, of));
      expect([await isTaken(first), await isTaken(second)]).toEqual([false, true]);
      await atHome((tx) => automations.save(tx, disabled(first)));
      expect(await isTaken(second)).toBe(false);
      expect(await atHome((tx) => automations.insert(tx, second))).toBe(true);
      expect(await isTaken(first)).toBe(true);
    });

    it('lets one transaction at a time propose', async () => {
      const { author } = sampleAutomationRevision(world.home);
      expect(await waitsBehind(world, (tx) => automations.countProposed(tx, author, 0))).toBe(true);
    });

    it('lists the newest first, page by page', async () => {
      const start = Date.UTC(2030, 0, 1);
      const [first, second, third] = [await kept(start), await kept(start + 1), await kept(start + 1)];
      const listed = (limit: number, after: Automation | null) =>
        atHome((tx) =>
          automations.list(tx, { limit, after: after === null ? null : { at: after.proposedAt, id: after.id } }),
        );
      expect(await listed(3, null)).toEqual([third, second, first]);
      expect(await listed(1, third)).toEqual([second]);
      expect(await listed(1, second)).toEqual([first]);
      expect(await elsewhere((tx) => automations.list(tx, { limit: 9, after: null }))).toEqual([]);
    });

    it('lets one transaction at a time hold an automation', async () => {
      const { id } = await kept();
      expect(await waitsBehind(world, (tx) => automations.lock(tx, id))).toBe(true);
    });
  });
}
