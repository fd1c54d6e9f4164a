import { ok } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleConfirmation } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { FOR_FLEET, FOR_SIGN_IN, secretsOf } from '../fake-secret-world.js';

describe('the binding of a secret', () => {
  it('is widened by an admin who is alone, and recorded with the one before', async () => {
    const { put, bind, bindingOf, home, rule, admin, audited } = secretsOf();
    await put('deploy-key', 'x');
    expect(await bind('deploy-key', { ...FOR_FLEET, tools: ['restart', 'reboot', 'restart'] })).toMatchObject(
      ok({ outcome: 'done', value: { name: 'deploy-key', binding: { tools: ['reboot', 'restart'] } }, alone: true }),
    );
    expect(await bindingOf('deploy-key')).toMatchObject({ tools: ['reboot', 'restart'] });
    expect(audited().at(-1)).toMatchObject({
      action: 'secret.bound',
      actor: { id: admin.personId },
      subject: { type: 'secret', id: 'deploy-key' },
      payload: { name: 'deploy-key', before: null, after: { tools: ['reboot', 'restart'] }, guarded: false },
    });
    expect(rule.movedIn(home)).toMatchObject([{ kind: 'secret_binding', subjectId: 'deploy-key' }]);
  });

  it('waits for a second person before it is wider, and not before it is narrower', async () => {
    const { put, bind, bindingOf, rule, home, audited } = secretsOf({ secondAdmin: true });
    const both = { ...FOR_FLEET, tools: ['reboot', 'restart'] };
    await put('deploy-key', 'x', both);
    const wider = { ...both, environments: ['staging'] };
    expect(await bind('deploy-key', wider)).toMatchObject(ok({ outcome: 'waits' }));
    expect(await bindingOf('deploy-key')).toEqual(both);
    expect(rule.waitingIn(home)).toMatchObject([
      {
        kind: 'secret_binding',
        subject: { type: 'secret', id: 'deploy-key' },
        payload: { name: 'deploy-key', binding: wider },
        base: { binding: both },
        loosens: ['it may be sent to every executor of staging'],
      },
    ]);
    expect(await bind('deploy-key', FOR_FLEET)).toMatchObject(ok({ outcome: 'done', alone: false }));
    expect(await bindingOf('deploy-key')).toEqual(FOR_FLEET);
    expect(rule.waitingIn(home)).toEqual([]);
    expect(audited().map(({ action }) => action)).toEqual(['secret.stored', 'secret.bound']);
  });

  it('is widened once a second person confirms, unless it was changed meanwhile', async () => {
    const { put, bind, bindSecret, bindingOf, rule, home, admin, atHome, audited } = secretsOf({ secondAdmin: true });
    await put('deploy-key', 'x');
    await bind('deploy-key', FOR_FLEET);
    const [proposed] = rule.waitingIn(home);
    if (proposed === undefined) throw new Error('no change waits');
    const confirmer = samplePerson(home.tenantId, ['PlatformAdmin']);
    const carryOut = () =>
      atHome((tx) =>
        bindSecret.carryOut(
          tx,
          sampleConfirmation(proposed, admin, confirmer),
          bindSecret.payload.parse(proposed.payload),
        ),
      );
    expect(await carryOut()).toMatchObject(ok({ outcome: 'done' }));
    expect(await bindingOf('deploy-key')).toEqual(FOR_FLEET);
    expect(audited().at(-1)).toMatchObject({
      actor: { id: confirmer.personId },
      payload: { requested_by: admin.personId, guarded: true },
    });
    expect(await carryOut()).toMatchObject({ ok: false, error: { code: 'change.base_changed' } });
  });

  it('is taken away, and then the secret is sent nowhere', async () => {
    const { put, bind, resolve } = secretsOf({ secondAdmin: true });
    await put('deploy-key', 'x', FOR_SIGN_IN);
    expect(await bind('deploy-key', null)).toMatchObject(ok({ outcome: 'done', value: { binding: null } }));
    expect(await resolve('deploy-key@1')).toMatchObject({ ok: false, error: { code: 'secret.not_bound' } });
  });

  it('is not set for a secret that is not there, nor to executors and environments that are not there', async () => {
    const { put, bind, bindingOf, audited } = secretsOf();
    expect(await bind('never', FOR_SIGN_IN)).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    await put('deploy-key', 'x');
    expect(await bind('deploy-key', { ...FOR_FLEET, environments: ['nowhere'] })).toMatchObject({
      ok: false,
      error: { code: 'secret.invalid_binding', errors: [{ pointer: '/binding/environments/0' }] },
    });
    expect(await bindingOf('never')).toBeNull();
    expect(await bindingOf('deploy-key')).toBeNull();
    expect(audited()).toHaveLength(1);
  });

  it('is not set for a secret of another tenant', async () => {
    const { put, bindSecret, bindingOf, other } = secretsOf();
    await put('deploy-key', 'x');
    expect(await bindSecret.execute(other.admin, 'deploy-key', FOR_SIGN_IN)).toMatchObject({
      ok: false,
      error: { code: 'resource.not_found' },
    });
    expect(await bindingOf('deploy-key')).toBeNull();
  });
});
