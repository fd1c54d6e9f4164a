import type { Json } from '#lib/canonical';
import type { Automation } from '../domain/automation.js';
import { FakeAutomationWorld, automationSource, callStep } from './fake-automation-world.js';

const SOURCE = `name: heal
environment: staging
inputs:
  service: { type: string, example: web }
triggers:
  - { type: endpoint }
overlap: queue
most_per_hour: 2
steps:
  - { id: restart, type: tool_action, tool: restart_service, arguments: { service: "{{inputs.service}}" } }
`;

let world: FakeAutomationWorld;
let automation: Automation;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
  automation = await world.enabled(SOURCE);
});

const request = (inputs: Record<string, Json> = { service: 'web-01' }, { id }: Pick<Automation, 'id'> = automation) =>
  world.request.execute(world.ada, id, inputs);

describe('the endpoint of an automation', () => {
  it('starts a run with the inputs of the caller, who is on record', async () => {
    const started = await request();
    expect(started).toMatchObject({ ok: true, value: { state: 'queued', inputs: { service: 'web-01' } } });
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({
      action: 'automation_run.queued',
      actor: { kind: 'person', id: world.ada.personId },
    });
    await world.work(automation);
    expect(world.made).toMatchObject([{ given: { service: 'web-01' } }]);
  });

  it.each<[Record<string, Json>, string]>([
    [{}, '/inputs/service'],
    [{ service: 1 }, '/inputs/service'],
    [{ service: 'web', tool: 'uninstall_app' }, '/inputs/tool'],
  ])('T33: refuses the inputs %j', async (inputs, pointer) => {
    expect(await request(inputs)).toMatchObject({
      error: { code: 'automation.wrong_input', errors: [{ pointer }] },
    });
  });

  it('T22: refuses more runs in an hour than the automation may start', async () => {
    await request();
    await request();
    expect(await request()).toMatchObject({ error: { code: 'automation.too_many_runs', kind: 'rate_limited' } });
    world.uow.now += 3_600_001;
    expect(await request()).toMatchObject({ ok: true });
  });

  it('refuses an automation without an endpoint, and one that is off', async () => {
    const daily = await world.enabled(automationSource('daily', callStep('look')));
    expect(await request({}, daily)).toMatchObject({ error: { code: 'automation.no_endpoint' } });
    await world.change.disable(world.ada, automation.id);
    expect(await request()).toMatchObject({ error: { code: 'automation.not_enabled' } });
  });
});
