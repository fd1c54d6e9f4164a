import { ok, type PersonPrincipal } from '#lib/kernel';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeMfaProofs } from '../../../identity/src/application/fake-mfa-proofs.js';
import { FakeStandings } from '../../../identity/src/application/fake-standings.js';
import { signInWorld } from '../fake-sign-in-world.js';
import { ConfirmIssuer } from './confirm-issuer.js';
import { sampleIssuer } from './fake-issuer.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';

/** An issuer that the admin put in force alone, and people who may confirm it. */
async function unconfirmed() {
  const hands = new FakeStandings();
  const world = await signInWorld({
    directory: {
      // The cast: the use case reads the names and addresses of people alone.
      people: unasked({
        findMany: () =>
          Promise.resolve([
            { id: world.home.admin.personId, displayName: 'Ada', nameNote: null, email: 'ada@example.com' },
          ] as never),
      }),
      seats: unasked({ standingOf: (tx, ids) => hands.standingOf(tx, ids) }),
    },
  });
  const { uow, home, settings, audit, atHome, putInForce } = world;
  const [issuer] = await putInForce();
  if (issuer === undefined) throw new Error('no issuer is in service');
  await atHome((tx) => settings.keepStanding(tx, { issuerId: issuer.id, how: 'alone', personId: home.admin.personId }));
  const other = samplePerson(home.tenantId, ['PlatformAdmin']);
  const proofs = new FakeMfaProofs(uow);
  const confirm = new ConfirmIssuer(uow, settings, hands, proofs, audit);
  const { readIssuerStandings: reading } = world.parts;
  const readAll = async (by: PersonPrincipal) => reading.execute(by, (await atHome((tx) => settings.read(tx))).issuers);
  return {
    ...world,
    issuer,
    other,
    hands,
    proofs,
    prove: (by: PersonPrincipal, revision = 1) =>
      proofs.prove(home.tenantId, by.personId, {
        kind: 'issuer_confirm',
        issuer_id: issuer.id,
        settings_revision: revision,
      }),
    confirm: (by: PersonPrincipal, stepUpId?: string, revision = 1, name = 'acme') =>
      confirm.execute(by, name, { revision, stepUpId }),
    standing: () => atHome((tx) => settings.standing(tx, issuer.id)),
    readAll,
    readAs: async (by: PersonPrincipal) => (await readAll(by)).get(issuer.id),
  };
}

describe('confirming an issuer that one hand put in force alone', () => {
  it('makes it known by two people, and records both', async () => {
    const { confirm, prove, other, home, issuer, standing, uow, audited } = await unconfirmed();
    expect(await confirm(other, prove(other))).toMatchObject(ok({ revision: 1, issuers: [{ name: 'acme' }] }));
    expect(await standing()).toEqual({ how: 'confirmed', personId: other.personId });
    expect(audited()).toMatchObject([
      {
        action: 'issuer.confirmed',
        actor: { id: other.personId },
        level: 'full_with_evidence',
        subject: { type: 'issuer', id: issuer.id },
        payload: {
          issuer: issuer.url,
          settings_revision: 1,
          set_up_by: home.admin.personId,
          mfa: { method: 'totp', proved_at: uow.now },
        },
      },
    ]);
    expect(await confirm(other, prove(other))).toMatchObject({
      ok: false,
      error: { code: 'issuer.confirmed_already' },
    });
  });

  it('is refused to the person who put it in force, and to a person of their hand', async () => {
    const { confirm, prove, other, home, hands, standing, audited } = await unconfirmed();
    const sameHand = { ok: false, error: { code: 'issuer.same_hand' } };
    expect(await confirm(home.admin, prove(home.admin))).toMatchObject(sameHand);
    hands.sharedWith.set(other.personId, [home.admin.personId]);
    expect(await confirm(other, prove(other))).toMatchObject(sameHand);
    expect(await standing()).toMatchObject({ how: 'alone' });
    expect(audited()).toEqual([]);
  });

  it('is refused to a person who is known by nothing else', async () => {
    const { confirm, prove, other, hands, standing } = await unconfirmed();
    hands.sharedWith.set(other.personId, []);
    expect(await confirm(other, prove(other))).toMatchObject({
      ok: false,
      error: { code: 'issuer.confirmer_unknown' },
    });
    expect(await standing()).toMatchObject({ how: 'alone' });
  });

  it('is refused for settings that changed since the person looked', async () => {
    const { confirm, prove, other, putInForce, standing } = await unconfirmed();
    const proof = prove(other);
    await putInForce();
    const refused = { ok: false, error: { code: 'request.changed_meanwhile' } };
    expect(await confirm(other, proof)).toMatchObject(refused);
    expect(await standing()).toMatchObject({ how: 'alone' });
    expect(await confirm(other, proof, 2)).toMatchObject({ ok: false, error: { code: 'mfa.other_operation' } });
    expect(await confirm(other, prove(other, 2), 2)).toMatchObject({ ok: true });
  });

  it('takes a second factor, proved for exactly this, once', async () => {
    const { confirm, prove, proofs, other, home, standing } = await unconfirmed();
    expect(await confirm(other)).toMatchObject({ ok: false, error: { code: 'mfa.not_enrolled' } });
    proofs.enrol(home.tenantId, other.personId);
    expect(await confirm(other)).toMatchObject({ ok: false, error: { code: 'mfa.required' } });
    expect(await confirm(other, prove(home.owner))).toMatchObject({
      ok: false,
      error: { code: 'mfa.other_operation' },
    });
    expect(await standing()).toMatchObject({ how: 'alone' });
  });

  it('finds no issuer under another name, nor one out of service', async () => {
    const { confirm, prove, other, putInForce } = await unconfirmed();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await confirm(other, prove(other), 1, 'other')).toMatchObject(missing);
    await putInForce({ issuers: [] });
    expect(await confirm(other, prove(other, 2), 2)).toMatchObject(missing);
  });
});

describe('the standing of an issuer', () => {
  it('names the person who put it in force alone, and lets a person of another hand confirm it', async () => {
    const { readAs, other, home } = await unconfirmed();
    const person = { id: home.admin.personId, displayName: 'Ada' };
    expect(await readAs(other)).toEqual({ how: 'alone', person, whyNot: null });
    expect(await readAs(home.admin)).toMatchObject({ person, whyNot: { code: 'issuer.same_hand' } });
  });

  it('names the person who confirmed it, without a name if they are not there any more', async () => {
    const { readAs, confirm, prove, other } = await unconfirmed();
    await confirm(other, prove(other));
    expect(await readAs(other)).toMatchObject({
      how: 'confirmed',
      person: { id: other.personId, displayName: 'somebody' },
      whyNot: { code: 'issuer.confirmed_already' },
    });
  });

  it('is absent for an issuer that nothing is kept of, and for one out of service', async () => {
    const { readAll, other, putInForce } = await unconfirmed();
    await putInForce({ issuers: [sampleIssuer({ name: 'other', url: 'https://other.example.com' })] });
    expect(await readAll(other)).toEqual(new Map());
  });
});
