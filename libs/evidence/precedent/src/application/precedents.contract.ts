import { newId, type AgentId, type ApprovalRequestId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { MAX_COUNTED } from '../domain/past-line.js';
import { NO_WORDS } from '../domain/shared-words.js';
import type { InventedPrecedent } from './fake-precedents.js';
import type { Precedents, Question, Ranked, Rankings } from './precedent.ports.js';

const KEYS = ['image', 'targets'];
const NOTHING: Question = { text: '', tools: [], environment: null, argumentKeys: [], targets: [], except: null };
const SHAPE = { ...NOTHING, tools: ['rollout_prod'], environment: 'production', argumentKeys: KEYS };
const mine = newId<AgentId>();

const rollout = (goal: string, more: Partial<InventedPrecedent> = {}): InventedPrecedent & { readonly id: string } => ({
  ...{ id: newId(), goal, tools: ['rollout_prod'], environment: 'production', arguments: KEYS, targets: ['web-01'] },
  ...more,
});

/** In the order in which they were made: the last is the newest. */
const KEPT = {
  own: rollout('renew the certificates', { agentId: mine }),
  failed: rollout('patch the kernel', { endedAs: 'failed', targets: ['web-02.fra'] }),
  other: rollout('feed the zebra', { agentId: newId(), targets: ['db-77.fra'] }),
  said: rollout('patch', { agentId: mine, said: 'the giraffe dashboard was red' }),
  staging: rollout('patch staging', { environment: 'staging' }),
  queue: rollout('drain it', { tools: ['drain_queue'], environment: 'staging', arguments: ['queue'], targets: [] }),
};
type Name = keyof typeof KEPT;
const nameOf = (id: string): Name | undefined => (Object.keys(KEPT) as Name[]).find((name) => KEPT[name].id === id);
const ids = (names: readonly Name[]): readonly string[] => names.map((name) => KEPT[name].id);

/** The contract of precedents. @param keep keeps invented ones, as the ends of requests would; `load` does so for many at once. */
export function describePrecedents(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly precedents: Precedents;
    readonly keep: (tx: Tx, all: readonly InventedPrecedent[]) => Promise<void>;
    readonly load: (tx: Tx, all: readonly InventedPrecedent[]) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of Precedents`, () => {
    let world: ContractWorld;
    let precedents: Precedents;
    let opened: Awaited<ReturnType<typeof open>>;
    beforeAll(async () => {
      opened = await open();
      ({ world, precedents } = opened);
      await world.uow.run(world.home.tenantId, (tx) => opened.keep(tx, Object.values(KEPT)));
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const ranked = (question: Partial<Question>, by: AgentId | null = null): Promise<Ranked> =>
      atHome((tx) => precedents.rank(tx, { ...NOTHING, ...question }, by));
    const named = async (ranking: keyof Rankings, question: Partial<Question>, by: AgentId | null = null) =>
      (await ranked(question, by))[ranking].map(({ id }) => nameOf(id));

    const sharedIn = (all: readonly string[], text: string, by: AgentId | null) =>
      atHome(async (tx) => {
        const { terms } = await precedents.rank(tx, { ...NOTHING, text }, by);
        const shared = await precedents.sharedWords(tx, all, text, terms, by);
        return new Map(all.map((id) => [id, shared.get(id) ?? NO_WORDS]));
      });

    it.each([
      ['its goal', 'certificates', 'own'],
      ['the words of others', 'giraffe', 'said'],
      ['a target', 'db-77.fra', 'other'],
      ['a tool', 'drain_queue', 'queue'],
    ] as const)('finds a precedent by %s', async (_what, text, found) => {
      expect((await named('words', { text }))[0]).toBe(found);
    });

    it.each([
      ['a host with a typing error', 'db-78.fra', 'other'],
      ['a word with a typing error', 'certifcates', 'own'],
    ] as const)('finds by similar spelling: %s', async (_what, text, found) => {
      expect((await named('near', { text }))[0]).toBe(found);
    });

    it('finds for an agent by structure and by its own words alone', async () => {
      expect(await named('words', { text: 'certificates' }, mine)).toEqual(['own']);
      expect(await named('words', { text: 'drain_queue' }, mine)).toEqual(['queue']);
      for (const text of ['zebra', 'zebrq', 'giraffe', 'db-77.fra', 'db-78.fra']) {
        const { words, near } = await ranked({ text }, mine);
        expect([...words, ...near]).toEqual([]);
      }
      expect(await named('structure', { text: 'db-77.fra' }, mine)).toEqual(['other']);
    });

    it('ranks the same shape first and a shared target before it; equal ones share a rank', async () => {
      const { structure } = await ranked(SHAPE);
      const ranks = new Map(structure.map(({ id, rank }) => [nameOf(id), rank]));
      const shape: readonly Name[] = ['own', 'failed', 'other', 'said'];
      expect(shape.map((one) => ranks.get(one))).toEqual([1, 1, 1, 1]);
      expect(ranks.get('staging')).toBe(5);
      expect(ranks.has('queue')).toBe(false);
      expect((await named('structure', { ...SHAPE, targets: ['web-02.fra'] }))[0]).toBe('failed');
    });

    it('leaves out the precedent that the question is about', async () => {
      const except = KEPT.own.id;
      expect(await named('words', { text: 'certificates', except })).toEqual([]);
      expect(await named('structure', { ...SHAPE, except })).not.toContain('own');
    });

    it('reads those that are asked for', async () => {
      const wanted = ids(['failed', 'own']);
      const read = await atHome((tx) => precedents.read(tx, wanted));
      expect(read.map(({ id }) => id).sort()).toEqual([...wanted].sort());
      expect(read.find(({ id }) => id === KEPT.failed.id)).toMatchObject({
        ...{ goal: 'patch the kernel', goalIsOwn: true, tools: ['rollout_prod'], environment: 'production' },
        ...{ argumentKeys: KEYS, targets: ['web-02.fra'], targetCount: 1, endedAs: 'failed', erased: false },
      });
      const ends = await atHome((tx) => precedents.endsOf(tx, wanted));
      expect(new Map(ends.map(({ id, endedAs }) => [id, endedAs]))).toEqual(
        new Map([
          [KEPT.failed.id, 'failed'],
          [KEPT.own.id, 'completed'],
        ]),
      );
    });

    it('tells shared words, to an agent only those by which it may find', async () => {
      const all = ids(['own', 'other']);
      const text = 'certificates zebra rollout_prod';
      const shared = (by: AgentId | null) => sharedIn(all, text, by);
      const words = [...(await shared(null)).values()].map((one) => [...one.words, ...one.common].sort());
      expect(words.map((one) => one.filter((word) => text.split(' ').includes(word)))).toEqual([
        ['certificates', 'rollout_prod'],
        ['rollout_prod', 'zebra'],
      ]);
      const others = (await shared(mine)).get(KEPT.other.id);
      expect([...(others?.words ?? []), ...(others?.common ?? [])]).toContain('rollout_prod');
      expect(JSON.stringify(others)).not.toContain('zebra');
    });

    it('tells spellings that are similar, to an agent only those of its own words', async () => {
      const similar = async (by: AgentId | null) =>
        [...(await sharedIn(ids(['own', 'other']), 'certifcates db-78.fra', by)).values()].map((one) => one.similar);
      const certificates = { said: 'certifcates', found: ['certificates'] };
      expect(await similar(null)).toEqual([[certificates], [{ said: 'db-78.fra', found: ['db-77.fra'] }]]);
      expect(await similar(mine)).toEqual([[certificates], []]);
    });

    it('knows the past of a shape, and its newest bad outcome', async () => {
      const counted = async (except: string | null) =>
        new Map((await atHome((tx) => precedents.pastOf(tx, SHAPE, except))).map((one) => [one.endedAs, one.count]));
      expect(await counted(null)).toEqual(
        new Map([
          ['completed', 3],
          ['failed', 1],
        ]),
      );
      expect(await counted(KEPT.failed.id)).toEqual(new Map([['completed', 3]]));
      const lastBad = (except: string | null) => atHome((tx) => precedents.lastBad(tx, SHAPE, except));
      expect(await lastBad(null)).toBe(KEPT.failed.id);
      expect(await lastBad(KEPT.failed.id)).toBeNull();
    });

    it('knows nothing of another tenant, and of no request that is not there', async () => {
      const all = ids(Object.keys(KEPT) as Name[]);
      expect(await elsewhere((tx) => precedents.read(tx, all))).toEqual([]);
      expect(await elsewhere((tx) => precedents.endsOf(tx, all))).toEqual([]);
      expect(await elsewhere((tx) => precedents.rank(tx, { ...SHAPE, text: 'patch db-77.fra' }, null))).toEqual({
        ...{ words: [], structure: [], near: [], terms: [] },
      });
      const patch = [{ sought: 'patch', term: 'patch', common: false }];
      const shared = await elsewhere((tx) => precedents.sharedWords(tx, all, 'patch', patch, null));
      expect([...shared.values()].flatMap(({ words }) => words)).toEqual([]);
      expect(await elsewhere((tx) => precedents.pastOf(tx, SHAPE, null))).toEqual([]);
      expect(await elsewhere((tx) => precedents.lastBad(tx, SHAPE, null))).toBeNull();
      expect(await atHome((tx) => precedents.ofRequest(tx, newId<ApprovalRequestId>(), null))).toBeNull();
      expect(await atHome((tx) => precedents.pastOfOpen(tx, newId<ApprovalRequestId>()))).toBeNull();
    });

    it('counts the newest of a shape, and no more than the line about its past says', async () => {
      const tool = { tools: ['often'], targets: [] };
      const often = [
        rollout('first', { ...tool, endedAs: 'failed' }),
        ...Array.from({ length: MAX_COUNTED }, () => rollout('later', tool)),
      ];
      await atHome((tx) => opened.load(tx, often));
      const shape = { ...SHAPE, tools: tool.tools };
      expect(await atHome((tx) => precedents.pastOf(tx, shape, null))).toEqual([
        expect.objectContaining({ endedAs: 'completed', count: MAX_COUNTED }),
      ]);
      expect(await atHome((tx) => precedents.lastBad(tx, shape, null))).toBeNull();
    });
  });
}
