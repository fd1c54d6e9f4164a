import { fakeWorld, type ContractWorld } from './fake-tenant.js';
import type { FakeUnitOfWork } from './fake-unit-of-work.js';

/** A setting of a contract suite whose clock stands until a test moves it. */
export interface ClockedWorld extends ContractWorld {
  pass(ms: number): Promise<void>;
}

/** A world in memory with its clock. */
export function fakeClockedWorld(): ClockedWorld & { readonly uow: FakeUnitOfWork } {
  const world = fakeWorld();
  const pass = (ms: number): Promise<void> => {
    world.uow.now += ms;
    return Promise.resolve();
  };
  return { ...world, pass };
}
