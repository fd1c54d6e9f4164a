import { valueOf } from '../fake-run-documents.js';
import { FakeRunWorld } from '../fake-run-world.js';
import { describeBoundRecords } from './bound-records.contract.js';
import { FakeBoundRecords } from './fake-bound-records.js';

describeBoundRecords('in memory', async () => {
  const world = await FakeRunWorld.open();
  const { runs, requests, approvals, agent, person } = world;
  return {
    ...{ runs, requests, approvals, agent, person },
    bound: new FakeBoundRecords(world),
    tx: (work) => world.tx(work),
    plan: (document) => world.plan(document),
    start: async (by, planId) => valueOf(await world.parts.start.execute(by, planId)),
    settle: (id) => world.settle(id),
    behave: (behaviour) => {
      world.behave(behaviour);
    },
    autonomy: (document) => {
      world.autonomy(document);
    },
    halt: (target) => world.halt(target),
    forge: (id) =>
      world.tx((tx) => {
        runs.forge(tx, id);
        return Promise.resolve();
      }),
    close: () => Promise.resolve(),
  };
});
