import { newId, type AuditEntryId, type LoggedEvent } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import type { ReportedCall } from '../domain/event-body.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type { NewDelivery } from './webhook.ports.js';
import { WriteDeliveries } from './write-deliveries.js';

const call: ReportedCall = { tool: 'file-write', parameters: {}, output: 'written', agent: 'default', model: null };

/** Follows the log for one endpoint. */
function following(more: Partial<WebhookEndpoint> = {}, { secret = true }: { readonly secret?: boolean } = {}) {
  const { uow, home } = fakeClockedWorld();
  const id = newId<WebhookEndpointId>();
  const endpoint: WebhookEndpoint = {
    ...{ id, url: 'https://hooks.example.com/in', description: '', events: ['run.*', 'tool.completed'], ca: null },
    ...{ enabled: true, offReason: null, failingSince: null, createdBy: home.owner.personId, createdAt: 0, ...more },
  };
  const written: NewDelivery[] = [];
  const known = new Map<string, ReportedCall>();
  const jobs = new FakeJobQueue(uow);
  const follower = new WriteDeliveries(
    { all: () => Promise.resolve([endpoint]) },
    { holders: () => Promise.resolve(new Set(secret ? [id] : [])) },
    {
      write: (_tx, deliveries) => {
        written.push(...deliveries);
        return Promise.resolve();
      },
    },
    { of: () => Promise.resolve(known) },
    jobs,
  );
  return {
    written,
    known,
    jobs: () => jobs.of(home),
    take: (...events: readonly LoggedEvent[]) => uow.run(home.tenantId, (tx) => follower.take(tx, events)),
  };
}

const entry = (action: string): LoggedEvent => ({
  id: newId<AuditEntryId>(),
  occurredAt: 0,
  level: 'full',
  action,
  actor: { kind: 'system', id: 'run-executor', display_name: 'run-executor', credential_id: null, on_behalf_of: null },
  subject: { type: 'run', id: 'r' },
  within: [],
  payload: {},
});

describe('the deliveries of an entry', () => {
  it('are those that an endpoint subscribes to, each with its job', async () => {
    const { take, written, jobs } = following();
    await take(entry('run.started'), entry('plan.validated'), entry('credential.minted'));
    expect(written.map(({ event }) => event)).toEqual(['run.started']);
    expect(jobs()).toEqual([{ name: 'webhook.deliver', id: written[0]?.id }]);
  });

  it('are two for a call of a run: the event of the run, and that of the tool', async () => {
    const { take, written, known } = following();
    const event = entry('run.step_succeeded');
    known.set(event.id, call);
    await take(event);
    expect(written.map((each) => each.event)).toEqual(['run.step_succeeded', 'tool.completed']);
    expect(JSON.parse(written[1]?.body ?? '')).toMatchObject({ tool: { id: 'file-write' }, result: { success: true } });
  });

  it('leave out the event of a tool if its call is not there any more', async () => {
    const { take, written } = following();
    await take(entry('run.step_succeeded'));
    expect(written.map(({ event }) => event)).toEqual(['run.step_succeeded']);
  });

  it('leave out an endpoint that is off, or that waits for its secret', async () => {
    const off = following({ enabled: false, offReason: 'person' });
    const unproved = following({}, { secret: false });
    for (const { take, written } of [off, unproved]) {
      await take(entry('run.started'));
      expect(written).toEqual([]);
    }
  });
});
