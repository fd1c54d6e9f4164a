import { ok } from '#lib/kernel';
import type { SecretUse } from '../domain/secret-binding.js';
import { FOR_FLEET, FOR_SIGN_IN, secretsOf } from '../fake-secret-world.js';
import type { SealedElsewhere } from './tenancy.ports.js';

const TO_FLEET: SecretUse = {
  purpose: 'tool_arguments',
  environment: 'production',
  executor: 'fleet',
  tool: 'restart',
};

describe('storing a secret', () => {
  it('keeps each value as a version, and records the person and the version, never the value', async () => {
    const { put, resolve, listed, admin, keyring, audited } = secretsOf();
    const { id: keyId } = await keyring.current();
    expect(await put('deploy-key', 'first värde', FOR_SIGN_IN)).toMatchObject(
      ok({ name: 'deploy-key', version: 1, keyId, createdBy: admin.personId, binding: FOR_SIGN_IN }),
    );
    expect(await put('deploy-key', 'second')).toMatchObject(ok({ version: 2, binding: FOR_SIGN_IN }));
    expect(await resolve('deploy-key@1')).toEqual(ok('first värde'));
    expect(await resolve('deploy-key@2')).toEqual(ok('second'));
    expect(await listed()).toEqual(['deploy-key@1', 'deploy-key@2']);
    expect(audited()).toMatchObject(
      [1, 2].map((version) => ({
        action: 'secret.stored',
        actor: { id: admin.personId },
        level: 'full',
        subject: { type: 'secret', id: `deploy-key@${String(version)}` },
        payload: { name: 'deploy-key', version, key_id: keyId, binding: { purpose: 'sign_in' } },
      })),
    );
    expect(JSON.stringify(audited())).not.toMatch(/first|second/);
  });

  it('numbers versions without gaps if many are stored at once', async () => {
    const { put, listed } = secretsOf();
    await Promise.all(Array.from({ length: 8 }, (_, index) => put('busy', String(index))));
    expect(await listed()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((version) => `busy@${String(version)}`));
  });

  it.each<[string, string, string, string]>([
    ['name', 'not a name', 'x', 'secret.invalid_name'],
    ['empty value', 'deploy-key', '', 'secret.empty'],
    ['value of too many bytes', 'deploy-key', 'ä'.repeat(32_769), 'secret.too_large'],
  ])('refuses a %s that it cannot keep, and records nothing', async (_what, name, value, code) => {
    const { put, listed, audited } = secretsOf();
    expect(await put(name, value)).toMatchObject({ ok: false, error: { code } });
    expect([await listed(), audited()]).toEqual([[], []]);
  });

  it('refuses a binding to an environment that is not there, and names the one that is meant', async () => {
    const { put, listed } = secretsOf();
    const binding = { ...FOR_FLEET, executors: ['produktion/fleet'], environments: ['staging'] };
    expect(await put('deploy-key', 'x', binding)).toMatchObject({
      ok: false,
      error: {
        code: 'secret.invalid_binding',
        errors: [{ pointer: '/binding/executors/0', code: 'secret.unknown_environment', suggestion: 'production' }],
      },
    });
    expect(await put('deploy-key', 'x', { ...FOR_FLEET, tools: [] })).toMatchObject({
      ok: false,
      error: { code: 'secret.invalid_binding', errors: [{ pointer: '/binding/tools' }] },
    });
    expect(await listed()).toEqual([]);
  });

  it('keeps nothing if the record cannot be written', async () => {
    const { put, listed, audit } = secretsOf();
    audit.record = () => Promise.reject(new Error('no audit'));
    await expect(put('deploy-key', 'x', FOR_SIGN_IN)).rejects.toThrow('no audit');
    expect(await listed()).toEqual([]);
  });

  it('never widens the binding of earlier versions, and stores nothing then', async () => {
    const { put, bindingOf, listed, audited } = secretsOf();
    await put('deploy-key', 'x', FOR_FLEET);
    const wider = { ...FOR_FLEET, tools: ['restart', 'reboot'] };
    expect(await put('deploy-key', 'y', wider)).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'secret.binding_widens' },
    });
    await put('loose', 'x');
    expect(await put('loose', 'y', FOR_FLEET)).toMatchObject({
      ok: false,
      error: { code: 'secret.binding_widens', details: { binding: 'nothing' } },
    });
    expect(await bindingOf('deploy-key')).toEqual(FOR_FLEET);
    expect(await bindingOf('loose')).toBeNull();
    expect(await listed()).toEqual(['deploy-key@1', 'loose@1']);
    expect(audited()).toHaveLength(2);
  });

  it('narrows the binding with a new value, and voids the change requests on the wider one', async () => {
    const { put, bindingOf, rule, home } = secretsOf();
    const both = { ...FOR_FLEET, tools: ['reboot', 'restart'] };
    await put('deploy-key', 'x', both);
    expect(await put('deploy-key', 'y', FOR_FLEET)).toMatchObject(ok({ binding: FOR_FLEET }));
    expect(await bindingOf('deploy-key')).toEqual(FOR_FLEET);
    expect(rule.movedIn(home).map(({ kind, subjectId, base }) => [kind, subjectId, base(null)])).toEqual([
      ['secret_binding', 'deploy-key', { binding: both }],
      ['secret_binding', 'deploy-key', { binding: FOR_FLEET }],
    ]);
  });
});

describe('a stored secret', () => {
  it('is sent to no destination that its binding does not name', async () => {
    const { put, resolve } = secretsOf();
    await put('unbound', 'x');
    await put('fleet', 'y', FOR_FLEET);
    const refused = { ok: false, error: { code: 'secret.not_bound' } };
    expect(await resolve('unbound@1')).toMatchObject(refused);
    expect(await resolve('fleet@1')).toMatchObject(refused);
    expect(await resolve('fleet@1', { ...TO_FLEET, environment: 'staging' })).toMatchObject(refused);
    expect(await resolve('fleet@1', { ...TO_FLEET, executor: 'other' })).toMatchObject(refused);
    expect(await resolve('fleet@1', { ...TO_FLEET, tool: 'reboot' })).toMatchObject(refused);
    expect(await resolve('fleet@1', TO_FLEET)).toEqual(ok('y'));
  });

  it('is unknown by another version or name, and to another tenant', async () => {
    const { put, resolve, other } = secretsOf();
    await put('deploy-key', 'x', FOR_SIGN_IN);
    const unknown = { ok: false, error: { code: 'secret.unknown' } };
    expect(await resolve('deploy-key@2')).toMatchObject(unknown);
    expect(await resolve('other@1')).toMatchObject(unknown);
    expect(await resolve('deploy-key@1', undefined, other.tenantId)).toMatchObject(unknown);
    expect(await resolve('deploy-key')).toMatchObject({ ok: false, error: { code: 'secret.invalid_reference' } });
  });

  it('does not open if its row was changed', async () => {
    const { put, resolve, breakSecret } = secretsOf();
    await put('deploy-key', 'x', FOR_SIGN_IN);
    await breakSecret('deploy-key');
    expect(await resolve('deploy-key@1')).toMatchObject({ ok: false, error: { code: 'secret.corrupt' } });
  });
});

describe('a rotation of the master key', () => {
  it('encrypts every secret under an older key anew, and records their names', async () => {
    const { put, rotate, resolve, keyring, audited, home } = secretsOf();
    await put('deploy-key', 'x', FOR_SIGN_IN);
    const { id: old } = await keyring.current();
    const current = keyring.addKey();
    await put('deploy-key', 'y');
    expect(await rotate()).toEqual(ok(1));
    expect(audited().at(-1)).toMatchObject({
      action: 'secret.rotated',
      subject: { type: 'tenant', id: home.tenantId },
      payload: { key_id: current, secrets: ['deploy-key@1'] },
    });
    keyring.removeKey(old);
    expect(await resolve('deploy-key@1')).toEqual(ok('x'));
    expect(await resolve('deploy-key@2')).toEqual(ok('y'));
    const entries = audited().length;
    expect(await rotate()).toEqual(ok(0));
    expect(audited()).toHaveLength(entries);
  });

  it('goes on until no secret is left, some at a time', async () => {
    const { put, rotate, keyring, audited } = secretsOf();
    for (let version = 1; version <= 101; version += 1) await put('busy', 'x');
    keyring.addKey();
    expect(await rotate()).toEqual(ok(101));
    expect(audited().filter(({ action }) => action === 'secret.rotated')).toHaveLength(2);
  });

  it('takes along further data that is encrypted under the master keys', async () => {
    const stale = Array.from({ length: 101 }, (_, index) => `audit key ${String(index)}`);
    const elsewhere: SealedElsewhere = {
      resealStale: (_tx, _keyId, limit) => Promise.resolve(ok(stale.splice(0, limit))),
    };
    const { rotate, audited } = secretsOf({ elsewhere: [elsewhere] });
    expect(await rotate()).toEqual(ok(101));
    expect(audited().map(({ action }) => action)).toEqual(['secret.rotated', 'secret.rotated']);
    expect(audited().at(-1)).toMatchObject({ payload: { secrets: ['audit key 100'] } });
  });

  it('stops at a secret that cannot be read', async () => {
    const { put, rotate, keyring, breakSecret, audited } = secretsOf();
    await put('deploy-key', 'x');
    await breakSecret('deploy-key');
    keyring.addKey();
    expect(await rotate()).toMatchObject({ ok: false, error: { code: 'secret.corrupt' } });
    expect(audited().map(({ action }) => action)).toEqual(['secret.stored']);
  });
});
