import type { ToolCallState } from '#lib/formats';
import { digestOf, newId, type ToolCallId } from '#lib/kernel';
import type { ToolCall, ToolCallProgress } from '../domain/tool-call.js';
import { TOOL_CALL_TRANSITIONS } from '../domain/tool-call-transitions.js';
import { sampleProgress } from './fake-tool-call.js';
import type { CallStore } from './tool-call-store.contract.js';

const READS = ['find', 'lock'] as const;

/** How a repository keeps calls through their lifecycle. */
export function describeCallStates(opened: () => CallStore): void {
  it('finds a kept call, whole: allowed, denied, rejected by policies and pending', async () => {
    const store = opened();
    const wholes = [
      await store.kept({
        clientCallId: newId(),
        turnId: 'turn 1',
        reason: 'To see the files.',
        targets: ['web-01', 'web-02'],
        executor: { name: 'fleet', version: 2, digest: digestOf('executor', {}), answeredBy: 'agent' },
      }),
      await store.kept({ submitter: store.person, shell: null }, sampleProgress(null).denied),
      await store.kept({}, { state: 'denied', requestId: null, decidedAs: 'rejected', decidedAt: 6_000 }),
      await store.pending(),
    ];
    for (const read of READS)
      for (const call of wholes)
        expect(await store.inTenant('home', (tx) => store.calls[read](tx, call.id))).toEqual(call);
  });

  it('saves each state that the lifecycle leads to, whole', async () => {
    const store = opened();
    const asked = await store.pending();
    const bystander = await store.pending();
    const { allowed, executing, unknown, succeeded } = sampleProgress(asked.requestId);
    const denial = { code: 'tool_call.cancelled', message: 'The session ended.' };
    const { state: _, requestId: __, ...facts } = asked;
    for (const progress of [allowed, executing, unknown, succeeded]) {
      const next: ToolCall = { ...facts, ...progress };
      await store.inTenant('home', (tx) => store.calls.save(tx, next));
      expect(await store.found(asked.id)).toEqual(next);
    }
    const { expired, failed } = sampleProgress(null);
    const ends: readonly (readonly ToolCallProgress[])[] = [
      [expired],
      [sampleProgress(null).executing, failed],
      [{ state: 'denied', requestId: null, decidedAs: 'cancelled', decidedAt: 8_000, denial }],
    ];
    for (const way of ends) {
      const another = store.facts();
      await store.kept(another);
      for (const progress of way) {
        await store.inTenant('home', (tx) => store.calls.save(tx, { ...another, ...progress }));
        expect(await store.found(another.id)).toEqual({ ...another, ...progress });
      }
    }
    expect(await store.found(bystander.id)).toEqual(bystander);
  });

  it('refuses every other change of state (CS002), also at the beginning', async () => {
    const store = opened();
    const asked = await store.pending();
    const { requestId } = asked;
    const states = { pending: { state: 'pending', requestId } as const, ...sampleProgress(null) };
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => 'saved',
        (error: unknown) => (error as { code?: string }).code,
      );
    const names = Object.keys(states) as ToolCallState[];
    for (const to of names) {
      if (TOOL_CALL_TRANSITIONS.some((row) => row.from === '' && row.to === to)) continue;
      const begun: ToolCall = { ...store.facts(), ...states[to] };
      expect([to, await refused(store.inTenant('home', (tx) => store.calls.insert(tx, begun)))]).toEqual([to, 'CS002']);
    }
    const { allowed, executing, succeeded, failed, unknown, expired, denied } = states;
    const ways: readonly (readonly [ToolCallProgress, ...ToolCallProgress[]])[] = [
      [allowed],
      [denied],
      [allowed, expired],
      [allowed, executing],
      [allowed, executing, succeeded],
      [allowed, executing, failed],
      [allowed, executing, unknown],
    ];
    for (const way of [null, ...ways]) {
      const call = way === null ? asked : await store.kept({}, way[0]);
      const later = way?.slice(1) ?? [];
      for (const progress of later)
        await store.inTenant('home', (tx) => store.calls.save(tx, { ...call, ...progress }));
      const from = later.at(-1)?.state ?? call.state;
      const legal = TOOL_CALL_TRANSITIONS.filter((row) => row.from === from).map(({ to }) => to);
      for (const to of names.filter((name) => name !== from && !legal.some((state) => state === name))) {
        const save = store.inTenant('home', (tx) => store.calls.save(tx, { ...call, ...states[to] }));
        expect([from, to, await refused(save)]).toEqual([from, to, 'CS002']);
      }
    }
  });

  it('finds many at once', async () => {
    const store = opened();
    const [one, other] = [await store.kept(), await store.pending()];
    await store.kept();
    const many = (tenant: 'home' | 'other') =>
      store.inTenant(tenant, (tx) => store.calls.findMany(tx, [one.id, other.id, newId<ToolCallId>()]));
    expect((await many('home')).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, other]);
    expect(await many('other')).toEqual([]);
  });

  it('has nothing under another id, and nothing for another tenant', async () => {
    const store = opened();
    const { id } = await store.kept();
    for (const read of READS) {
      expect(await store.inTenant('home', (tx) => store.calls[read](tx, newId<ToolCallId>()))).toBeNull();
      expect(await store.inTenant('other', (tx) => store.calls[read](tx, id))).toBeNull();
    }
  });
}
