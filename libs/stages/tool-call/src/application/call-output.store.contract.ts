import { newId, type ToolCallId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { NOTHING_HELD, type KeptChunk } from '../domain/call-output.js';
import type { CallOutputStore } from './call-output.port.js';

/** The contract of a store of output. */
export function describeCallOutputStore(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly output: CallOutputStore;
    readonly newCall: () => Promise<ToolCallId>;
  }>,
): void {
  it(`${name} keeps the contract of CallOutputStore: what is appended is read in order, by its tenant alone`, async () => {
    const { world, output, newCall } = await open();
    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const [call, other] = [await newCall(), await newCall()];
    const chunks: readonly KeptChunk[] = [
      { seq: 1, stream: 'stdout', text: 'one', cut: false },
      { seq: 2, stream: 'stderr', text: 'zwö', cut: false },
      { seq: 3, stream: 'stdout', text: '', cut: false },
      { seq: 4, stream: 'stderr', text: 'the rest is left out', cut: true },
    ];
    const shown = chunks.filter(({ text }) => text !== '');
    const none = { seq: 0, bytes: 0, cut: false, held: NOTHING_HELD };
    const held = { stdout: ['a\0', '\uD800'], stderr: ['b'] };
    expect(await atHome((tx) => output.standing(tx, call))).toEqual(none);
    await atHome((tx) => output.append(tx, call, chunks.slice(0, 2), { ...held, stdout: ['c'] }));
    await atHome((tx) => output.append(tx, call, [], held));
    await atHome((tx) => output.append(tx, other, [], NOTHING_HELD));
    expect(await atHome((tx) => output.standing(tx, other))).toEqual(none);
    expect(await atHome((tx) => output.standing(tx, call))).toEqual({ seq: 2, bytes: 7, cut: false, held });
    await atHome((tx) => output.append(tx, call, chunks.slice(2), NOTHING_HELD));
    expect(await atHome((tx) => output.standing(tx, call))).toMatchObject({ seq: 4, cut: true, held: NOTHING_HELD });
    expect(await atHome((tx) => output.read(tx, call, 0))).toEqual(shown);
    expect(await atHome((tx) => output.read(tx, call, 2))).toEqual(shown.slice(2));
    expect(await atHome((tx) => output.read(tx, other, 0))).toEqual([]);
    expect(await atHome((tx) => output.read(tx, newId<ToolCallId>(), 0))).toEqual([]);
    expect(await elsewhere((tx) => output.read(tx, call, 0))).toEqual([]);
    expect(await elsewhere((tx) => output.standing(tx, call))).toEqual(none);
    await world.close();
  });
}
