import { newId, type ToolCallId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { KeptChunk } from '../domain/call-output.js';
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
      { seq: 3, stream: 'stderr', text: 'the rest is left out', cut: true },
    ];
    expect(await atHome((tx) => output.standing(tx, call))).toEqual({ seq: 0, bytes: 0, cut: false });
    await atHome((tx) => output.append(tx, call, chunks.slice(0, 2)));
    await atHome((tx) => output.append(tx, other, []));
    expect(await atHome((tx) => output.standing(tx, call))).toEqual({ seq: 2, bytes: 7, cut: false });
    await atHome((tx) => output.append(tx, call, chunks.slice(2)));
    expect(await atHome((tx) => output.standing(tx, call))).toMatchObject({ seq: 3, cut: true });
    expect(await atHome((tx) => output.read(tx, call, 0))).toEqual(chunks);
    expect(await atHome((tx) => output.read(tx, call, 2))).toEqual(chunks.slice(2));
    expect(await atHome((tx) => output.read(tx, other, 0))).toEqual([]);
    expect(await atHome((tx) => output.read(tx, newId<ToolCallId>(), 0))).toEqual([]);
    expect(await elsewhere((tx) => output.read(tx, call, 0))).toEqual([]);
    expect(await elsewhere((tx) => output.standing(tx, call))).toEqual({ seq: 0, bytes: 0, cut: false });
    await world.close();
  });
}
