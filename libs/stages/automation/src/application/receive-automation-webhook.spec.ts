import { newId, type TenantId } from '#lib/kernel';
import type { Automation } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { SignedMessage } from './automation-webhook.ports.js';
import { automationSource, callStep, FakeAutomationWorld, signatureBy, valueOf } from './fake-automation-world.js';

const HOUR_MS = 3_600_000;
const SOURCE = `name: heal
environment: staging
inputs:
  service: { type: string, example: web }
triggers:
  - type: webhook
    match: { kind: down }
    inputs: { service: service.name }
overlap: queue
most_per_hour: 2
steps:
  - { id: restart, type: tool_action, tool: restart_service, arguments: { service: "{{inputs.service}}" } }
`;
const REFUSED = { ok: false, error: { kind: 'unauthenticated', code: 'automation.signature' } };

let world: FakeAutomationWorld;
let automation: Automation;
let secret: string;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
  automation = await world.enabled(SOURCE);
  secret = await renewed(automation.id);
});

const renewed = async (id: AutomationId, revoke = false): Promise<string> =>
  valueOf(await world.renewSecret.execute(world.ada, id, revoke)).secret;
const message = (members: Partial<SignedMessage> = {}, by = secret): SignedMessage => {
  const unsigned = { id: 'msg_1', timestamp: '0', body: '{"kind":"down","service":{"name":"web-01"}}', ...members };
  return { ...unsigned, signature: signatureBy(by, unsigned), ...members };
};
const verify = (given: SignedMessage, id = automation.id, tenantId = world.tenant.tenantId) =>
  world.webhook.verify(tenantId, id, given);
const start = (given: SignedMessage, id = automation.id) => world.webhook.start(world.tenant.tenantId, id, given);

describe('T12: a message to an automation', () => {
  it('counts as sent by its agent if one of its secrets signed it', async () => {
    expect(await verify(message())).toMatchObject({
      ok: true,
      value: { kind: 'agent', agentId: automation.identity?.agentId, tenantId: world.tenant.tenantId },
    });
    const later = await renewed(automation.id);
    expect([await verify(message()), await verify(message({}, later))]).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it('by an earlier secret is good for a day, and refused at once if that secret was revoked', async () => {
    const earlier = message();
    secret = await renewed(automation.id);
    world.uow.now += 24 * HOUR_MS - 1;
    expect(await verify(earlier)).toMatchObject({ ok: true });
    world.uow.now += 1;
    expect(await verify(earlier)).toMatchObject(REFUSED);
    const later = await renewed(automation.id, true);
    expect([await verify(message()), await verify(message({}, later))]).toMatchObject([REFUSED, { ok: true }]);
  });

  it('is refused if another secret signed it, or none', async () => {
    const other = await world.enabled(SOURCE.replace('heal', 'other'));
    const foreign = await renewed(other.id);
    expect(await verify(message({}, foreign))).toMatchObject(REFUSED);
    expect(await verify(message({ signature: undefined }))).toMatchObject(REFUSED);
    expect(await verify({ ...message(), body: '{}' })).toMatchObject(REFUSED);
    expect(await verify({ ...message(), id: 'msg_2' })).toMatchObject(REFUSED);
  });

  it.each<[string, string | undefined]>([
    ['no id', undefined],
    ['an empty id', ''],
    ['an id with a space', 'msg 1'],
    ['an id of 201 characters', 'm'.repeat(201)],
  ])('is refused if it has %s', async (_what, id) => {
    expect(await verify(message({ id }))).toMatchObject(REFUSED);
  });

  it('gets one answer, also if there is no such automation, here or in that tenant, or no secret', async () => {
    const silent = await world.enabled(SOURCE.replace('heal', 'silent'));
    expect(await verify(message(), newId<AutomationId>())).toEqual(await verify(message({}, 'wrong')));
    expect(await verify(message(), automation.id, newId<TenantId>())).toMatchObject(REFUSED);
    expect(await verify(message(), silent.id)).toMatchObject(REFUSED);
  });

  it('is told that the automation is off only if it is signed', async () => {
    await world.change.disable(world.ada, automation.id);
    expect(await verify(message())).toMatchObject({ ok: false, error: { code: 'automation.not_enabled' } });
    expect(await start(message())).toMatchObject({ ok: false, error: { code: 'automation.not_enabled' } });
    expect(await verify(message({}, 'wrong'))).toMatchObject(REFUSED);
  });

  it('T17: is refused if the person who answers for the automation is disabled', async () => {
    await world.disablePerson(world.ada.personId);
    expect(await verify(message())).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'automation.owner_disabled' },
    });
  });
});

describe('a verified message to an automation', () => {
  it('starts one run, with the inputs that its body gives', async () => {
    const started = valueOf(await start(message()));
    expect(started).toMatchObject({ state: 'queued', inputs: { service: 'web-01' }, occurrence: 'webhook:msg_1' });
    expect(await start(message())).toMatchObject({ ok: true, value: null });
    await world.work(automation);
    expect(world.made).toMatchObject([{ given: { service: 'web-01' } }]);
  });

  it.each([
    ['matches no trigger', '{"kind":"up"}', { ok: true, value: null }],
    ['is no JSON', 'down', { ok: false, error: { code: 'automation.wrong_body' } }],
    ['has a member twice', '{"kind":"up","kind":"down"}', { ok: false, error: { code: 'automation.wrong_body' } }],
    [
      'nests too deep',
      `{"kind":"down","x":${'['.repeat(33)}${']'.repeat(33)}}`,
      { ok: false, error: { code: 'automation.wrong_body' } },
    ],
    ['lacks an input', '{"kind":"down"}', { ok: false, error: { code: 'automation.wrong_input' } }],
  ])('starts no run if its body %s', async (_how, body, answer) => {
    expect(await start(message({ body }))).toMatchObject(answer);
    expect((await world.tx((tx) => world.runs.list(tx, automation.id, { limit: 1, after: null }))).length).toBe(0);
  });

  it('T22: starts no more runs in an hour than the automation may start', async () => {
    for (const id of ['1', '2']) expect(await start(message({ id }))).toMatchObject({ ok: true });
    const late = message({ id: '3' });
    expect(await start(late)).toMatchObject({ ok: false, error: { code: 'automation.too_many_runs' } });
    world.uow.now += HOUR_MS + 1;
    expect(await start(late)).toMatchObject({ ok: true, value: { occurrence: 'webhook:3' } });
  });

  it('starts no run of an automation without a webhook', async () => {
    const daily = await world.enabled(automationSource('daily', callStep('look')));
    expect(await start(message(), daily.id)).toMatchObject({ ok: false, error: { code: 'automation.no_webhook' } });
  });
});
