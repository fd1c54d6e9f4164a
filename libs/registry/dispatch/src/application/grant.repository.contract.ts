import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { IssuedGrant } from '../domain/grant.js';
import { sampleOrder } from './fake-grant.js';
import type { GrantRepository, GrantSelector } from './grant.ports.js';
import type { GrantOrder, GrantSource } from './tool-dispatcher.port.js';

/** The contract of a repository of grants. */
export function describeGrantRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly grants: GrantRepository }>,
): void {
  describe(`${name} keeps the contract of GrantRepository`, () => {
    let world: ContractWorld;
    let grants: GrantRepository;
    const AT = Date.UTC(2026, 0, 5, 8);
    const UNTIL = AT + 60_000;
    beforeAll(async () => {
      ({ world, grants } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const issued = async (changes: Partial<GrantOrder> = {}, expiresAt = UNTIL): Promise<string> => {
      const id = newId();
      const order = { ...sampleOrder(world.home), ...changes };
      await atHome((tx) => grants.insert(tx, { id, issuedAt: AT, expiresAt }, order));
      return id;
    };
    const ofRun = (): GrantSource => ({ type: 'run', id: newId() });
    const found = (id: string): Promise<IssuedGrant | null> => atHome((tx) => grants.lock(tx, id));
    const revoke = (selector: GrantSelector): Promise<number> =>
      atHome((tx) => grants.revokeLive(tx, selector, 'halt 1', AT + 1));

    it('finds the inserted grant: the compared parts of its order, unused', async () => {
      const order = sampleOrder(world.home, { attempt: 2 });
      const id = await issued(order);
      expect(await found(id)).toEqual({
        id,
        environment: order.environment,
        audience: order.executor.audience,
        tool: order.tool.name,
        argumentsDigest: order.argumentsDigest,
        source: order.source,
        step: order.step,
        attempt: 2,
        issuedAt: AT,
        expiresAt: UNTIL,
        redeemedAt: null,
        revokedAt: null,
        revokedReason: null,
      });
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const id = await issued();
      expect(await found(newId())).toBeNull();
      expect(await elsewhere((tx) => grants.lock(tx, id))).toBeNull();
    });

    it('refuses an id that is taken (23505)', async () => {
      const grant = { id: await issued(), issuedAt: AT, expiresAt: UNTIL };
      await expect(atHome((tx) => grants.insert(tx, grant, sampleOrder(world.home)))).rejects.toMatchObject({
        code: '23505',
      });
    });

    it('lets one transaction at a time hold a grant', async () => {
      const id = await issued();
      expect(await waitsBehind(world, (tx) => grants.lock(tx, id))).toBe(true);
    });

    it('marks one grant as redeemed, once (CS001)', async () => {
      const [id, bystander] = [await issued(), await issued()];
      await elsewhere((tx) => grants.markRedeemed(tx, id, AT + 1));
      expect(await found(id)).toMatchObject({ redeemedAt: null });
      await atHome((tx) => grants.markRedeemed(tx, id, AT + 1));
      expect(await found(id)).toMatchObject({ redeemedAt: AT + 1, revokedAt: null });
      expect(await found(bystander)).toMatchObject({ redeemedAt: null });
      await expect(atHome((tx) => grants.markRedeemed(tx, id, AT + 2))).rejects.toMatchObject({ code: 'CS001' });
    });

    it('never marks a revoked grant as redeemed (23514)', async () => {
      const source = ofRun();
      const id = await issued({ source });
      await revoke({ kind: 'sources', sources: [source] });
      await expect(atHome((tx) => grants.markRedeemed(tx, id, AT + 2))).rejects.toMatchObject({ code: '23514' });
    });

    it('revokes unredeemed, unexpired grants, with the reason, once', async () => {
      const source = ofRun();
      const live = await issued({ source });
      const redeemed = await issued({ source });
      const expired = await issued({ source }, AT + 1);
      await atHome((tx) => grants.markRedeemed(tx, redeemed, AT));
      const selector = { kind: 'sources', sources: [ofRun(), source] } as const;
      expect(await elsewhere((tx) => grants.revokeLive(tx, selector, 'halt 1', AT + 1))).toBe(0);
      expect(await revoke(selector)).toBe(1);
      expect(await found(live)).toMatchObject({ revokedAt: AT + 1, revokedReason: 'halt 1', redeemedAt: null });
      for (const id of [redeemed, expired]) expect(await found(id)).toMatchObject({ revokedAt: null });
      expect(await revoke(selector)).toBe(0);
    });

    it('revokes by source, tool, environment and tenant, but no rollback; and all', async () => {
      await revoke({ kind: 'all' });
      const source = ofRun();
      const inRun = await issued({ source });
      const ofTool = await issued({ tool: { name: 'restart', version: 1 } });
      const inStaging = await issued({ environment: 'staging' });
      const simulated = await issued({ source: { type: 'simulation', id: source.id }, basis: 'simulation' });
      const single = { type: 'tool_call', id: newId() } as const;
      const called = await issued({ source: single, step: single.id, basis: 'policy', planDigest: null });
      const rollback = await issued({
        source,
        basis: 'rollback',
        environment: 'staging',
        tool: { name: 'restart', version: 1 },
      });
      const all = { inRun, ofTool, inStaging, simulated, called, rollback };
      const left = async (): Promise<readonly string[]> => {
        const names: string[] = [];
        for (const [of, id] of Object.entries(all)) if ((await found(id))?.revokedAt === null) names.push(of);
        return names;
      };
      const calls = [single, { type: 'tool_call', id: source.id } as const];
      expect(await revoke({ kind: 'sources', sources: calls })).toBe(1);
      expect(await left()).toEqual(['inRun', 'ofTool', 'inStaging', 'simulated', 'rollback']);
      expect(await revoke({ kind: 'sources', sources: [source] })).toBe(1);
      expect(await left()).toEqual(['ofTool', 'inStaging', 'simulated', 'rollback']);
      expect(await revoke({ kind: 'tool', tool: 'restart' })).toBe(1);
      expect(await left()).toEqual(['inStaging', 'simulated', 'rollback']);
      expect(await revoke({ kind: 'environment', environment: 'staging' })).toBe(1);
      expect(await left()).toEqual(['simulated', 'rollback']);
      expect(await revoke({ kind: 'tenant' })).toBe(1);
      expect(await left()).toEqual(['rollback']);
      expect(await revoke({ kind: 'all' })).toBe(1);
      expect(await left()).toEqual([]);
    });
  });
}
