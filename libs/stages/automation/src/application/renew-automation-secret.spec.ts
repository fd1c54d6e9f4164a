import { newId, type Principal } from '#lib/kernel';
import type { Automation } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { automationSource, callStep, FakeAutomationWorld, valueOf } from './fake-automation-world.js';

const DAY_MS = 24 * 3_600_000;

let world: FakeAutomationWorld;
let automation: Automation;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
  automation = await world.enabled(automationSource('heal', callStep('look')));
});

const renew = (revoke = false, by: Principal = world.ada, id = automation.id) =>
  world.renewSecret.execute(by, id, revoke);
const valid = () => world.tx((tx) => world.secrets.valid(tx, automation.id));

describe('the secret of an automation', () => {
  it('is 256 random bits in the form of Standard Webhooks', async () => {
    const [one, other] = [valueOf(await renew()), valueOf(await renew())];
    const bytes = Buffer.from(one.secret.replace(/^whsec_/, ''), 'base64');
    expect(`whsec_${bytes.toString('base64')}`).toBe(one.secret);
    expect(bytes).toHaveLength(32);
    expect(other.secret).not.toBe(one.secret);
  });

  it('leaves the earlier one good for a day', async () => {
    const { secret: earlier } = valueOf(await renew());
    const { secret, earlierUntil } = valueOf(await renew());
    expect(earlierUntil).toBe(world.uow.now + DAY_MS);
    expect(await valid()).toEqual([secret, earlier]);
    world.uow.now += DAY_MS;
    expect(await valid()).toEqual([secret]);
  });

  it('ends the earlier ones at once if they are revoked', async () => {
    await renew();
    await renew();
    const { secret, earlierUntil } = valueOf(await renew(true));
    expect(earlierUntil).toBe(world.uow.now);
    expect(await valid()).toEqual([secret]);
  });

  it.each([true, false])('is on record and not in it; revoked: %s', async (revoke) => {
    const { secret } = valueOf(await renew(revoke));
    const entries = world.audit.of(world.tenant);
    expect(entries.at(-1)).toMatchObject({
      ...{ action: 'automation.secret_rotated', subject: { id: automation.id } },
      ...{ actor: { id: world.ada.personId }, payload: { revoked: revoke } },
    });
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it.each<[string, () => Principal, string]>([
    ['an agent', () => world.tenant.agent, 'credential.person_required'],
    ['a token without the scope', () => ({ ...world.ada, scopes: ['read'] }), 'credential.scope_missing'],
    ['a person without the role', () => ({ ...world.ada, roles: [] }), 'identity.role_required'],
  ])('is not given to %s', async (_who, by, code) => {
    expect(await renew(false, by())).toMatchObject({ ok: false, error: { code } });
    expect(await valid()).toEqual([]);
  });

  it('is not made for an automation that is unknown', async () => {
    const unknown = await renew(false, world.ada, newId<AutomationId>());
    expect(unknown).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
  });
});
