import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import { sampleDispatch } from './fake-runner-dispatch.js';
import type { RunnerDispatch, RunnerDispatchRepository } from './runner-dispatch.ports.js';
import type { RunnerRepository } from './runner.ports.js';

interface Opened {
  readonly world: ContractWorld;
  readonly calls: RunnerDispatchRepository;
  /** Calls name the runner that took them. */
  readonly runners: RunnerRepository;
}

/** The contract of a repository of calls for runners. */
export function describeRunnerDispatchRepository(name: string, open: () => Promise<Opened>): void {
  describe(`${name} keeps the contract of RunnerDispatchRepository`, () => {
    let { world, calls, runners }: Opened = {} as Opened;
    let now = 0;
    beforeAll(async () => {
      ({ world, calls, runners } = await open());
      now = await atHome((tx) => tx.now());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const offered = async (changes: Partial<RunnerDispatch> = {}): Promise<RunnerDispatch> => {
      const call = sampleDispatch(now, changes);
      await atHome((tx) => calls.insert(tx, call));
      return call;
    };
    const runner = async (): Promise<RunnerId> => {
      const id = newId<RunnerId>();
      const made = { id, name: `r-${id}`, pool: 'builders', environments: ['staging'], createdAt: now };
      await atHome((tx) => runners.insert(tx, { ...made, createdBy: world.home.admin.personId }));
      return id;
    };
    const taken = async (by: RunnerId, call: RunnerDispatch, at = now): Promise<RunnerDispatch> => {
      const next = { ...call, state: 'taken', runnerId: by, takenAt: at } as const;
      await atHome((tx) => calls.save(tx, call.id, next));
      return next;
    };
    const find = (id: RunnerDispatchId) => atHome((tx) => calls.find(tx, id));
    /** The call that a runner of this call's pool and environment would get. */
    const waiting = (of: RunnerDispatch, at = now) =>
      atHome((tx) => calls.lockWaiting(tx, { pool: of.pool, environments: ['other', of.environment] }, at));

    it('finds a call as it was offered, with any character, for its tenant alone', async () => {
      const call = await offered();
      expect(await find(call.id)).toEqual(call);
      expect(await elsewhere((tx) => calls.find(tx, call.id))).toBeNull();
      expect(await elsewhere((tx) => calls.ofSource(tx, call.sourceId))).toEqual([]);
      expect(await find(newId<RunnerDispatchId>())).toBeNull();
    });

    it('lists the calls of a source in the order of their offers', async () => {
      const sourceId = newId();
      const late = await offered({ sourceId, offeredAt: now + 2 });
      const early = await offered({ sourceId, offeredAt: now + 1 });
      await offered();
      expect(await atHome((tx) => calls.ofSource(tx, sourceId))).toEqual([early, late]);
    });

    it('finds a call by the name that its order gave it, the last offer first', async () => {
      const call = await offered();
      const again = await offered({ sourceId: call.sourceId, offeredAt: now + 2 });
      await offered({ sourceId: call.sourceId, idempotencyKey: 'k:undo', offeredAt: now + 3 });
      const called = {
        source: { type: 'run', id: call.sourceId },
        step: 's',
        attempt: 1,
        idempotencyKey: 'k',
      } as const;
      const sent = (changes: object = {}) => atHome((tx) => calls.lockSent(tx, { ...called, ...changes }));
      expect(await sent()).toEqual(again);
      expect(await sent({ attempt: 2 })).toBeNull();
      expect(await sent({ step: 't' })).toBeNull();
      expect(await sent({ source: { type: 'tool_call', id: call.sourceId } })).toBeNull();
    });

    it('gives the call that waits longest, as long as it is offered', async () => {
      const late = await offered({ offeredAt: now + 1 });
      const early = await offered({ pool: late.pool });
      const waits = (of: RunnerDispatch, at = now) =>
        atHome((tx) => calls.waits(tx, { pool: of.pool, environments: [of.environment] }, at));
      expect((await waiting(late))?.id).toBe(early.id);
      expect(await waiting(late, early.offeredUntil)).toBeNull();
      expect(await Promise.all([waits(late), waits({ ...late, pool: 'another-pool' })])).toEqual([true, false]);
      expect(await waits(late, late.offeredUntil)).toBe(false);
      expect(await waiting({ ...late, pool: 'another-pool' })).toBeNull();
      expect(await waiting({ ...late, environment: 'production' })).toBeNull();
      expect(
        await elsewhere((tx) => calls.lockWaiting(tx, { pool: late.pool, environments: ['staging'] }, now)),
      ).toBeNull();
      await taken(await runner(), early);
      expect((await waiting(late))?.id).toBe(late.id);
    });

    it('gives a taken call again to its runner if that lost it, until its time limit', async () => {
      const id = await runner();
      const call = await taken(id, await offered());
      const undelivered = (by: RunnerId, held: readonly RunnerDispatchId[] = [], at = now) =>
        atHome((tx) => calls.lockUndelivered(tx, by, held, at));
      expect(await undelivered(id)).toEqual(call);
      expect(await undelivered(id, [call.id])).toBeNull();
      expect(await undelivered(newId<RunnerId>())).toBeNull();
      expect(await undelivered(id, [], call.answerBy)).toBeNull();
    });

    it('lists the calls that a runner has taken and not ended', async () => {
      const id = await runner();
      const call = await taken(id, await offered());
      const done = await taken(id, await offered());
      const answer = { ok: true, result: { text: 'a\u0000b' } } as const;
      const ended = { ...done, state: 'answered', endedAt: now + 1, answer } as const;
      await atHome((tx) => calls.save(tx, done.id, ended));
      expect(await find(done.id)).toEqual(ended);
      expect(await atHome((tx) => calls.lockTaken(tx, id))).toEqual([call]);
    });

    it('notes when an answer is handed over, until somebody looked', async () => {
      const call = await taken(await runner(), await offered());
      const answer = { ok: true, result: 1 } as const;
      const handOverAt = now + 2_000;
      await atHome((tx) => calls.save(tx, call.id, { ...call, state: 'answered', endedAt: now, answer, handOverAt }));
      expect(await find(call.id)).toMatchObject({ state: 'answered', handOverAt });
      await elsewhere((tx) => calls.handedOver(tx, call.id)).catch(() => undefined);
      expect(await find(call.id)).toMatchObject({ handOverAt });
      await atHome((tx) => calls.handedOver(tx, call.id));
      expect(await find(call.id)).toMatchObject({ state: 'answered', answer, handOverAt: null });
    });

    it('lets one transaction at a time hold a call', async () => {
      const { id } = await offered();
      expect(await waitsBehind(world, (tx) => calls.lock(tx, id))).toBe(true);
    });

    it('keeps output in order, and its size', async () => {
      const { id } = await offered();
      const chunks = [
        { stream: 'stdout', text: 'one' },
        { stream: 'stderr', text: 'two' },
        { stream: 'stderr', text: '' },
      ] as const;
      const outputHeld = { stdout: ['a\u0000', '\ud800'], stderr: [] };
      const kept = { outputSeq: 3, outputBytes: 6, outputCut: true, outputHeld };
      await atHome((tx) => calls.append(tx, id, 1, chunks, kept));
      const output = (after: number) => atHome((tx) => calls.output(tx, id, after));
      expect(await output(0)).toEqual(chunks.slice(0, 2).map((chunk, at) => ({ ...chunk, seq: at + 1 })));
      expect(await output(1)).toEqual([{ ...chunks[1], seq: 2 }]);
      expect(await elsewhere((tx) => calls.output(tx, id, 0))).toEqual([]);
      expect(await find(id)).toMatchObject(kept);
      await atHome((tx) => calls.append(tx, id, 4, [], { ...kept, outputBytes: 7 }));
      expect(await find(id)).toMatchObject({ outputBytes: 7 });
    });

    it('T32: lets go of held output with the end of the call', async () => {
      const call = await taken(await runner(), await offered());
      const outputHeld = { stdout: ['tok'], stderr: [] };
      await atHome((tx) => calls.append(tx, call.id, 1, [], { ...call, outputHeld }));
      await atHome((tx) => calls.save(tx, call.id, call));
      expect(await find(call.id)).toMatchObject({ outputHeld });
      await atHome((tx) => calls.save(tx, call.id, { ...call, state: 'lost', endedAt: now + 1 }));
      expect(await find(call.id)).toMatchObject({ outputHeld: null });
    });
  });
}
