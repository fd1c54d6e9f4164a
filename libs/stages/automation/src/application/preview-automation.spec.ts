import { actorOf, newId, type AuditEntryId, type LoggedEvent } from '#lib/kernel';
import { automationWorker } from './automation-journal.js';
import { FakeAutomationWorld, valueOf } from './fake-automation-world.js';

const EVENT = `name: heal
environment: staging
inputs:
  service: { type: string, max_length: 20, default: web }
triggers:
  - { type: event, event: incident.opened, match: { data.facts.kind: crash }, inputs: { service: data.facts.service } }
`;
const DAILY = '  - { type: cron, schedule: "0 3 * * *", time_zone: UTC }\n';
const EACH_MINUTE = '  - { type: cron, schedule: "* * * * *", time_zone: UTC }\n';
const STEPS = `steps:
  - { id: restart, type: tool_action, tool: restart_service, arguments: { service: "{{inputs.service}}" } }
`;
const HOUR_MS = 3_600_000;

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const crash = (hoursAgo: number, members: Partial<LoggedEvent> = {}): LoggedEvent => ({
  ...{ id: newId<AuditEntryId>(), occurredAt: world.uow.now - hoursAgo * HOUR_MS, level: 'full' },
  ...{ action: 'incident.opened', actor: actorOf(automationWorker(world.tenant.tenantId)), within: [] },
  ...{ subject: { type: 'incident', id: newId() }, payload: { kind: 'crash', service: 'web-01' } },
  ...members,
});
const preview = async (source: string, before: { at: number; id: string } | null = null) =>
  valueOf(await world.preview.execute(world.ada, { source, of: null, before }));

describe('the preview of an automation', () => {
  it('lists times and events, the newest first, with the inputs and the blocked steps of each', async () => {
    const [late, early] = [crash(1), crash(40)];
    world.log.push(late, crash(2, { payload: { kind: 'slow' } }), early, crash(31 * 24));
    world.blocks.add('web-01');
    const { occurrences, next } = await preview(EVENT + DAILY + STEPS);
    expect(next).toBeNull();
    expect(occurrences).toHaveLength(32);
    const events = occurrences.filter(({ trigger }) => trigger === 'event');
    expect(events).toMatchObject([
      { event: { name: 'incident.opened', entryId: late.id }, inputs: { service: 'web-01' }, wrong: [] },
      { event: { entryId: early.id }, blocked: [{ step: 'restart', fault: { code: 'automation.not_safe' } }] },
    ]);
    expect(occurrences.find(({ trigger }) => trigger === 'cron')).toMatchObject({
      inputs: { service: 'web' },
      blocked: [],
    });
    expect(occurrences.map(({ at }) => at)).toEqual(occurrences.map(({ at }) => at).toSorted((a, b) => b - a));
  });

  it('says that the values of an event do not fit', async () => {
    world.log.push(crash(1, { payload: { kind: 'crash', service: 'x'.repeat(21) } }));
    const { occurrences } = await preview(EVENT + STEPS);
    expect(occurrences).toMatchObject([{ inputs: null, wrong: [{ input: 'service' }], blocked: null }]);
  });

  it('leaves out nothing between its pages, and repeats nothing', async () => {
    world.log.push(...Array.from({ length: 120 }, (_, index) => crash(0.5 + index / 60)));
    const times: number[] = [];
    const entries: string[] = [];
    let before: { at: number; id: string } | null = null;
    for (let page = 0; page < 6; page += 1) {
      const { occurrences, next }: Awaited<ReturnType<typeof preview>> = await preview(
        EVENT + EACH_MINUTE + STEPS,
        before,
      );
      expect(occurrences).toHaveLength(50);
      for (const { at, event } of occurrences) if (event === null) times.push(at);
      entries.push(...occurrences.flatMap(({ event }) => event?.entryId ?? []));
      before = next;
    }
    expect(new Set(times).size).toBe(times.length);
    expect(times.slice(1).every((at, index) => (times[index] ?? 0) - at === 60_000)).toBe(true);
    expect(entries).toEqual(world.log.slice(0, entries.length).map(({ id }) => id));
    expect(entries.length).toBeGreaterThan(50);
  });

  it('makes nothing: no automation, run, call or entry', async () => {
    world.log.push(crash(1));
    await preview(EVENT + DAILY + STEPS);
    expect(world.made).toEqual([]);
    expect(world.audit.of(world.tenant)).toEqual([]);
    expect(await world.tx((tx) => world.automations.list(tx, { limit: 5, after: null }))).toEqual([]);
  });

  it('leaves out the events of the automation itself, and refuses one that there is not', async () => {
    const automation = await world.enabled(EVENT + STEPS);
    world.log.push(crash(1, { within: [{ type: 'automation', id: automation.id }] }));
    const asked = { source: EVENT + STEPS, before: null };
    expect(valueOf(await world.preview.execute(world.ada, { ...asked, of: automation.id })).occurrences).toEqual([]);
    expect((await preview(EVENT + STEPS)).occurrences).toHaveLength(1);
    expect(await world.preview.execute(world.ada, { ...asked, of: newId() })).toMatchObject({
      error: { code: 'resource.not_found' },
    });
  });
});
