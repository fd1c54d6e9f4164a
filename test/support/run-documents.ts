import { fine } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld, type RunWorld } from './run-world.js';

/** A world for the tests of one file; before each of them its tool server forgets its calls and answers well. */
export function worldOfFile(): () => RunWorld {
  let world: RunWorld;
  beforeAll(async () => {
    world = await runWorld();
  });
  afterAll(async () => {
    await world.close();
  });
  beforeEach(() => {
    world.calls.length = 0;
    world.behave(() => fine);
  });
  return () => world;
}
