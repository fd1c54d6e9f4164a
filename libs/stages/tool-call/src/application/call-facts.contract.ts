import type { createHaltStore, HaltTarget } from '#lib/halt';
import { actorOf, type AgentId, newId, type Tx } from '#lib/kernel';
import type { AutonomyRepository } from '#lib/autonomy';
import type { ExecutorRepository, ToolRepository, ToolVersion } from '#lib/tool';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { sampleRevision } from '../../../../rules/autonomy/src/application/fake-autonomy.repository.js';
import { sampleHalt } from '../../../../rules/halt/src/application/fake-halt.repository.js';
import type { AskedCall, CallFacts, CallFactsReader } from './call-facts.port.js';

/** A reader of facts, and the stores that the facts are in. */
export interface CallFactsStore {
  readonly world: ContractWorld;
  readonly facts: CallFactsReader;
  readonly tools: Pick<ToolRepository, 'addVersion' | 'remove'>;
  readonly executors: Pick<ExecutorRepository, 'save'>;
  readonly revisions: Pick<AutonomyRepository, 'put'>;
  /** As `put`, by a writer without the keyring. */
  readonly forge: AutonomyRepository['put'];
  readonly halts: Pick<ReturnType<typeof createHaltStore>, 'insert' | 'saveLifted'>;
}

/** The contract of a reader of the facts of one call. */
export function describeCallFacts(name: string, open: () => Promise<CallFactsStore>): void {
  describe(`${name} keeps the contract of CallFactsReader`, () => {
    let store: CallFactsStore;
    let look: ToolVersion;
    beforeEach(async () => {
      store = await open();
      look = sampleTool('look');
      await keep(look);
    });
    afterEach(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const keep = (tool: ToolVersion): Promise<void> =>
      atHome((tx) =>
        store.tools.addVersion(tx, tool, definitionText(tool.definition), store.world.home.admin.personId, 0),
      );
    const asked = (members: Partial<AskedCall> = {}): AskedCall => ({
      tool: 'look',
      environment: 'production',
      agentId: store.world.home.agent.agentId,
      ...members,
    });
    const read = (members: Partial<AskedCall> = {}): Promise<CallFacts> =>
      atHome((tx) => store.facts.read(tx, asked(members)));

    it('reads the tool, the environment and the time', async () => {
      const { home } = store.world;
      const { now, ...facts } = await read();
      expect(facts).toEqual({ tool: look, executor: null, environment: home.production, autonomy: null, halts: [] });
      expect(Math.abs(now - (await atHome((tx) => tx.now())))).toBeLessThan(60_000);
      expect((await read({ environment: 'staging' })).environment).toEqual(home.staging);
    });

    it('has nothing under another name, and nothing of another tenant', async () => {
      const { uow, other } = store.world;
      expect(await read({ tool: 'never', environment: 'nowhere' })).toMatchObject({ tool: null, environment: null });
      expect(await uow.run(other.tenantId, (tx) => store.facts.read(tx, asked()))).toMatchObject({
        tool: null,
        environment: other.production,
      });
    });

    it('reads the version of the tool that counts now, and none of a removed tool', async () => {
      const next = sampleTool('look', { description: 'Looks longer.' }, 2);
      await keep(next);
      expect((await read()).tool).toEqual(next);
      await atHome((tx) => store.tools.remove(tx, 'look', 0));
      expect((await read()).tool).toBeNull();
    });

    it('reads the executor of the tool in the environment, at the version that counts now', async () => {
      const { home } = store.world;
      const first = sampleExecutor(home.production);
      const next = sampleExecutor(home.production, { id: first.id, kind: 'agent', url: null, version: 2 });
      for (const record of [first, next]) {
        await atHome((tx) => store.executors.save(tx, home.production.id, record, home.admin.personId, record.version));
        const { name, version, kind, digest } = record;
        expect((await read()).executor).toEqual({ name, version, kind, digest });
      }
      expect((await read({ environment: 'staging' })).executor).toBeNull();
      expect((await read({ tool: 'never' })).executor).toBeNull();
    });

    it('reads the autonomy document in force', async () => {
      const { admin } = store.world.home;
      for (const [index, mode] of (['plan_only', 'full_auto'] as const).entries()) {
        const revision = sampleRevision(`autonomy:\n  mode: ${mode}\n`, {
          number: index + 1,
          createdBy: admin.personId,
        });
        await atHome((tx) => store.revisions.put(tx, revision));
        expect((await read()).autonomy).toEqual(revision.document);
      }
    });

    it('T42: refuses an autonomy document that Countersign did not write, and only while it is in force', async () => {
      const { admin } = store.world.home;
      const revision = (number: number) =>
        sampleRevision('autonomy:\n  mode: full_auto\n', { number, createdBy: admin.personId });
      const own = revision(2);
      await atHome((tx) => store.forge(tx, revision(1)));
      await expect(read()).rejects.toMatchObject({
        failure: { code: 'record.not_authentic', details: { table: 'autonomy_revision' } },
      });
      await atHome((tx) => store.revisions.put(tx, own));
      expect((await read()).autonomy).toEqual(own.document);
    });

    it('reads the halts in force that cover the call, the oldest first', async () => {
      const { home } = store.world;
      const { agentId } = home.agent;
      await keep(sampleTool('rollout'));
      const targets: readonly HaltTarget[] = [
        { kind: 'tool', tool: 'look' },
        { kind: 'tool', tool: 'rollout' },
        { kind: 'environment', environmentId: home.production.id, environment: 'production' },
        { kind: 'agent', agentId },
        { kind: 'tenant' },
      ];
      const set = targets.map((target, index) => sampleHalt(home, target, Date.UTC(2026, 0, 5) + index));
      for (const halt of set) await atHome((tx) => store.halts.insert(tx, halt));
      const kinds = async (members: Partial<AskedCall> = {}) => (await read(members)).halts.map(({ kind }) => kind);
      const [first] = set;
      expect((await read()).halts[0]).toEqual({ id: first?.id, kind: 'tool' });
      expect(await kinds()).toEqual(['tool', 'environment', 'agent', 'tenant']);
      expect(await kinds({ agentId: null })).toEqual(['tool', 'environment', 'tenant']);
      expect(await kinds({ agentId: newId<AgentId>(), environment: 'staging', tool: 'never' })).toEqual(['tenant']);
      const lifted = { at: Date.UTC(2026, 0, 6), by: actorOf(home.owner), note: 'It is over.' };
      for (const halt of set) await atHome((tx) => store.halts.saveLifted(tx, { ...halt, lifted }));
      expect(await kinds()).toEqual([]);
    });
  });
}
