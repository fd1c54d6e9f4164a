import { automationSource, callStep, FakeAutomationWorld, valueOf } from './fake-automation-world.js';

const SOURCE = automationSource('heal', callStep('look'));

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

it('takes another source only under the same name', async () => {
  const { id, revision } = await world.enabled(SOURCE);
  const change = (source: string) => world.change.change(world.ada, id, revision.sha256, source);
  expect(await change(SOURCE.replace('heal', 'mend'))).toMatchObject({
    ok: false,
    error: { code: 'automation.renamed', errors: [{ pointer: '/name', code: 'automation.renamed' }] },
  });
  const other = valueOf(await change(SOURCE.replace('look', 'restart')));
  expect(other.automation.revision.number).toBe(revision.number + 1);
});

it('takes another source only from somebody who saw the one in force', async () => {
  const { id } = await world.enabled(SOURCE);
  const refused = await world.change.change(world.ada, id, 'a'.repeat(64), SOURCE);
  expect(refused).toMatchObject({ ok: false, error: { code: 'automation.other_source' } });
});
