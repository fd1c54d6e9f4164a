import type { ContractWorld } from './fake-tenant.js';
import type { Tx } from './unit-of-work.js';

/**
 * Whether `second`, in a transaction of the same tenant, waits until that of `first` has ended. In memory one transaction
 * always does; in PostgreSQL the second is seen to wait, or to be done before the first.
 */
export async function waitsBehind(
  world: Pick<ContractWorld, 'uow' | 'blocked'> & { readonly home: Pick<ContractWorld['home'], 'tenantId'> },
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown> = first,
): Promise<boolean> {
  const { uow, home } = world;
  const order: string[] = [];
  let taken: () => void = () => undefined;
  const isTaken = new Promise<void>((resolve) => {
    taken = resolve;
  });
  const behind = isTaken.then(() =>
    uow.run(home.tenantId, async (tx) => {
      await second(tx);
      order.push('second');
    }),
  );
  await uow.run(home.tenantId, async (tx) => {
    await first(tx);
    taken();
    await Promise.race([world.blocked(), behind]);
    order.push('first');
  });
  await behind;
  return order[0] === 'first';
}
