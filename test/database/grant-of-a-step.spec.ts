import type { DispatchOrder } from '#lib/dispatch';
import { newId } from '#lib/kernel';
import { TypeormGrantRepository } from '../../libs/registry/dispatch/src/adapters/typeorm-grant.repository.js';
import { newHost, phase, step } from '../../libs/stages/run/src/fake-run-documents.js';
import { worldOfFile } from '../support/run-documents.js';
import { testSeals } from '../support/seals.js';

const world = worldOfFile();
const grants = new TypeormGrantRepository(testSeals());

type Out = NonNullable<DispatchOrder['out']>;

/** Dispatches a step, and issues a grant for it while it is out. @returns the grant's id; null if none was issued. */
async function issued(
  changes: Partial<Out> = {},
  before: () => Promise<unknown> = () => Promise.resolve(),
  lifetimeMs = 60_000,
): Promise<string | null> {
  const id = newId();
  const answers: boolean[] = [];
  world().behave(async ({ out, ...order }) => {
    if (out === undefined) throw new Error('the call of a run is not told of');
    await before();
    const { dispatchedAt } = out;
    const grant = { id, issuedAt: dispatchedAt, expiresAt: dispatchedAt + lifetimeMs };
    answers.push(await world().tx((tx) => grants.insertIfOut(tx, grant, { ...order, out: { ...out, ...changes } })));
    return { kind: 'succeeded', result: {} };
  });
  const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
  await world().settle(run.id);
  const kept = await world().tx((tx) => grants.lock(tx, id));
  expect(answers).toEqual([kept !== null]);
  return kept === null ? null : id;
}

describe('the grant of a step', () => {
  it('is issued while its call is out', async () => {
    const id = await issued();
    expect(id).not.toBeNull();
    const kept = await world().tx((tx) => grants.lock(tx, id ?? ''));
    const [order] = world().calls;
    expect(kept).toMatchObject({ source: order?.source, step: order?.step, attempt: 1, redeemedAt: null });
    expect(kept?.issuedAt).toBe(order?.out?.dispatchedAt);
  });

  it.each<[string, Partial<Out>]>([
    ['another fence', { fence: 2 }],
    ['another step', { stepId: newId() }],
    ['another run', { runId: newId() }],
  ])('is not issued for %s', async (_what, changes) => {
    expect(await issued(changes)).toBeNull();
  });

  it('is not issued after its lease', async () => {
    expect(await issued({}, () => world().passTime(3_600))).toBeNull();
  });

  it('is not issued if it has expired', async () => {
    expect(await issued({}, undefined, 0)).toBeNull();
  });

  it('is not issued under a halt, unless it undoes a step', async () => {
    const halted = async (changes?: Partial<Out>): Promise<string | null> => {
      let lift = (): Promise<void> => Promise.resolve();
      const id = await issued(changes, async () => {
        const halt = await world().halt({ kind: 'tool', tool: 'deploy' });
        lift = () => world().lift(halt);
      });
      await lift();
      return id;
    };
    expect(await halted()).toBeNull();
    expect(await halted({ halts: null })).not.toBeNull();
  });
});
