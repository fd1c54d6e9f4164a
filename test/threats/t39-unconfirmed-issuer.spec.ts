import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { describedIn, registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';
import { auditedOf, enrolTotp, startStepUp, steppedUp } from '../support/second-factors.js';

let api: TestApi;
let issuer: TestIssuer;
beforeAll(async () => {
  // oidc-provider warns developers on the console of its limits.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([{ sub: 'olga', groups: ['sre-leads'] }]);
  api = await testApi({ config: { allowedPrivateHosts: [issuer.host] } });
}, 60_000);
afterAll(async () => {
  await issuer.close();
  await api.close();
});

const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

interface Settings {
  readonly revision: number;
  readonly issuers: readonly { readonly id: string; readonly standing: Record<string, unknown> }[];
}

const settingsSeenBy = async (admin: HttpAs): Promise<Settings> =>
  expectStatus(await admin.get('/v1/issuers'), 200).body as Settings;

const confirm = (by: HttpAs, settings_revision: number, step_up_id?: string): Promise<Answer> =>
  by.post('/v1/issuers/demo/confirm', { settings_revision, ...(step_up_id === undefined ? {} : { step_up_id }) });

const operationOn = ({ revision, issuers }: Settings) => ({
  kind: 'issuer_confirm',
  issuer_id: issuers[0]?.id ?? '',
  settings_revision: revision,
});

/** How the one stands who signed in at the issuer. */
async function standingOfOlga(tenant: TestTenant): Promise<unknown> {
  const { items } = expectStatus(await api.http(tenant.admin.token).get('/v1/people'), 200).body as {
    items: { email: string; standing: Record<string, unknown> }[];
  };
  return items.find(({ email }) => email.startsWith('olga@'))?.standing;
}

describe('T39: an issuer that one hand set up alone', () => {
  it('makes no person known until a person of another hand confirms it, with a second factor', async () => {
    const tenant = await api.tenant();
    const asAda = api.http(tenant.admin.token);
    await registerIssuer(api, tenant, issuer);
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'olga'), 303);
    const ada = { id: tenant.admin.id, display_name: expect.any(String) as string };
    expect(await standingOfOlga(tenant)).toMatchObject({
      known: false,
      shares_vote_with: [ada],
      known_by: [{ basis: 'issuer', words: expect.stringMatching(/^known by .*, set up by .* alone$/) as string }],
    });

    const seen = await settingsSeenBy(asAda);
    expect(seen.issuers[0]?.standing).toMatchObject({
      how: 'alone',
      person: ada,
      you: { may_confirm: false, why_not: { code: 'issuer.same_hand' } },
    });
    expect(outcome(await confirm(asAda, seen.revision))).toEqual([403, 'issuer.same_hand']);

    const ben = await api.person(tenant, 'PlatformAdmin');
    const asBen = api.http(ben.token);
    expect((await settingsSeenBy(asBen)).issuers[0]?.standing).toMatchObject({ you: { may_confirm: true } });
    expect(outcome(await confirm(asBen, seen.revision))).toEqual([403, 'mfa.not_enrolled']);
    const totp = await enrolTotp(api, ben);
    const refused = await confirm(asBen, seen.revision);
    expect(outcome(refused)).toEqual([403, 'mfa.required']);
    expect(refused.body.details.operation).toEqual(operationOn(seen));
    const open = await startStepUp(asBen, operationOn(seen));
    expect(outcome(await confirm(asBen, seen.revision, open.id))).toEqual([403, 'mfa.required']);
    const forAnother = {
      kind: 'vouch',
      person_id: tenant.admin.id,
      fingerprint: '00000 00000 00000 00000 00000 00000',
    };
    const other = await steppedUp(asBen, totp, forAnother);
    expect(outcome(await confirm(asBen, seen.revision, other))).toEqual([403, 'mfa.other_operation']);
    expect(outcome(await confirm(asBen, seen.revision - 1))).toEqual([412, 'request.changed_meanwhile']);
    expect(await standingOfOlga(tenant)).toMatchObject({ known: false });

    const proved = await steppedUp(asBen, totp, operationOn(seen));
    const confirmed = expectStatus(await confirm(asBen, seen.revision, proved), 200).body as Settings;
    expect(confirmed.issuers[0]?.standing).toMatchObject({
      how: 'confirmed',
      person: { id: ben.id },
      you: { may_confirm: false, why_not: { code: 'issuer.confirmed_already' } },
    });
    expect(await standingOfOlga(tenant)).toMatchObject({ known: true, shares_vote_with: [] });
    expect(await auditedOf(api, 'issuer.confirmed', ben.id)).toEqual([
      expect.objectContaining({
        set_up_by: tenant.admin.id,
        mfa: expect.objectContaining({ method: 'totp' }) as object,
      }),
    ]);
    expect(outcome(await confirm(asBen, seen.revision, proved))).toEqual([409, 'issuer.confirmed_already']);

    // By Ada alone: neither lets anybody in, so neither waits for Ben, and the issuer is believed as before.
    await registerIssuer(api, tenant, issuer, { display_name: 'Acme, Inc.', role_mappings: [] });
    expect((await settingsSeenBy(asAda)).issuers[0]?.standing).toMatchObject({ how: 'confirmed' });
    expect(await standingOfOlga(tenant)).toMatchObject({ known: true });
    // The same change in the other direction waits.
    const read = await asAda.get('/v1/issuers');
    const linked = { issuers: describedIn(read).map((one) => ({ ...one, link_by_verified_email: true })) };
    expectStatus(await asAda.put('/v1/issuers', linked, { 'if-match': read.headers.etag ?? '' }), 202);
    expect(await standingOfOlga(tenant)).toMatchObject({ known: true });
  });
});
