import { actorOf, newId, type AuditEntryId, type LoggedEvent, type SubjectRef } from '#lib/kernel';
import type { Automation } from '../domain/automation.js';
import { automationWorker } from './automation-journal.js';
import { FakeAutomationWorld, there } from './fake-automation-world.js';
import { AUTOMATION_FOLLOWER } from './follow-events.js';

const SOURCE = `name: heal
environment: staging
inputs:
  service: { type: string, max_length: 20, example: web }
triggers:
  - { type: event, event: incident.opened, match: { data.facts.kind: crash }, inputs: { service: data.facts.service } }
overlap: queue
most_per_hour: 3
steps:
  - { id: restart, type: tool_action, tool: restart_service, arguments: { service: "{{inputs.service}}" } }
`;

let world: FakeAutomationWorld;
let automation: Automation;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
  automation = await world.enabled(SOURCE);
});

const crash = (members: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: newId<AuditEntryId>(), occurredAt: world.uow.now, level: 'full', action: 'incident.opened', within: [] },
  ...{
    actor: actorOf(automationWorker(world.tenant.tenantId)),
    subject: { type: 'incident', id: newId() },
  },
  ...{ payload: { kind: 'crash', service: 'web-01' } },
  ...members,
});
const take = (...events: LoggedEvent[]) => world.tx((tx) => world.follower.take(tx, events));
const runs = () => world.tx((tx) => world.runs.list(tx, automation.id, { limit: 20, after: null }));

describe('an automation that waits for events', () => {
  it('makes its tenant’s log be followed', () => {
    expect([...world.followed]).toEqual([AUTOMATION_FOLLOWER]);
  });

  it('leaves the log to itself after the last one was stopped, and has it followed again once it is enabled', async () => {
    const other = await world.enabled(SOURCE.replace('heal', 'other'));
    const { id, revision } = automation;
    await world.change.disable(world.ada, id);
    await take(crash());
    expect([...world.followed]).toEqual([AUTOMATION_FOLLOWER]);
    await world.change.disable(world.ada, other.id);
    await take(crash());
    expect([...world.followed]).toEqual([]);
    await world.change.enable(world.ada, id, revision.sha256);
    expect([...world.followed]).toEqual([AUTOMATION_FOLLOWER]);
  });

  it('starts one run for an event, and fills its steps with the event’s values', async () => {
    const event = crash();
    await take(event);
    await take(event, crash({ payload: { kind: 'slow', service: 'web-01' } }), crash({ action: 'incident.closed' }));
    expect(await runs()).toMatchObject([{ occurrence: `event:${event.id}`, inputs: { service: 'web-01' } }]);
    await world.work(automation);
    expect(world.made).toMatchObject([{ tool: 'restart_service', given: { service: 'web-01' } }]);
  });

  it('T33: leaves out an event whose values do not fit, on record', async () => {
    await take(crash({ payload: { kind: 'crash', service: 'x'.repeat(21) } }));
    const error = { code: 'automation.wrong_input', message: expect.stringContaining('service: It must be') as string };
    expect(await runs()).toMatchObject([{ state: 'skipped', fault: error, inputs: {} }]);
  });

  it.each<[string, () => Promise<Partial<LoggedEvent>>]>([
    ['its agent did', () => Promise.resolve({ actor: { ...actorOf(world.tenant.agent), id: agentOf(automation) } })],
    ['happened in it', () => Promise.resolve({ within: [{ type: 'automation', id: automation.id }] })],
    [
      'is of a call that it made',
      async () => {
        await take(crash());
        await world.work(automation);
        const subject: SubjectRef = { type: 'tool_call', id: there(world.made.at(-1) ?? null).id };
        return { subject };
      },
    ],
    ['happened before it was enabled', () => Promise.resolve({ occurredAt: world.uow.now - 1 })],
  ])('starts nothing by an event that %s', async (_what, members) => {
    const event = crash(await members());
    const before = (await runs()).length;
    await take(event);
    expect(await runs()).toHaveLength(before);
  });

  it('says so if it finds an event late, and starts nothing', async () => {
    const event = crash();
    world.uow.now += 16 * 60_000;
    await take(event);
    expect(await runs()).toMatchObject([
      { state: 'skipped', dueAt: event.occurredAt, fault: { code: 'automation.missed' } },
    ]);
    expect(world.audit.of(world.tenant).map(({ action }) => action)).toContain('automation.missed');
  });

  it('T22: is paused once events would start more runs in an hour than it may', async () => {
    await take(crash(), crash());
    world.uow.now += 1_000;
    await take(crash(), crash());
    expect(await runs()).toHaveLength(3);
    expect(await world.find(automation.id)).toMatchObject({ state: 'paused', listensFrom: null });
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({
      action: 'automation.paused',
      payload: { error: { code: 'automation.too_many_runs' } },
    });
  });

  it('starts further runs once the hour is over', async () => {
    await take(crash(), crash(), crash());
    world.uow.now += 3_600_001;
    await take(crash());
    expect(await runs()).toHaveLength(4);
    expect(await world.find(automation.id)).toMatchObject({ state: 'enabled' });
  });

  it('hears nothing once it is disabled, and is paused if its source cannot be read', async () => {
    const broken = await world.unreadable(await world.enabled(SOURCE.replace('heal', 'broken')));
    await world.change.disable(world.ada, automation.id);
    await take(crash());
    expect(await runs()).toEqual([]);
    expect(await world.find(broken.id)).toMatchObject({ state: 'paused' });
  });
});

const agentOf = ({ identity }: Automation): string => there(identity).agentId;
