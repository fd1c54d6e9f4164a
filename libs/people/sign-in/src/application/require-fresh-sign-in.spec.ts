import { newId, type PersonId, type PersonPrincipal, type TenantId, type Tx } from '#lib/kernel';
import { RequireFreshSignIn } from './require-fresh-sign-in.js';
import type { SignInStanding } from './sign-in.ports.js';

const DAY_MS = 86_400_000;
const now = 1_800_000_000_000;
const lately: SignInStanding = {
  now,
  signedInAt: now - 60_000,
  cameInAt: now - 60_000,
  atIssuer: false,
  reauthenticateAfterMinutes: 60,
  dormantAfterDays: 90,
};
const tenantId = newId<TenantId>();
const personId = newId<PersonId>();
const person = { kind: 'person', tenantId, personId, signedInAt: now } as PersonPrincipal;

const asked = (standing: SignInStanding | null): RequireFreshSignIn =>
  new RequireFreshSignIn({
    read: (tenant, id) => Promise.resolve(tenant === tenantId && id === personId ? standing : null),
    readWithin: (tx, id) => Promise.resolve(tx.tenantId === tenantId && id === personId ? standing : null),
  });

describe.each<[string, SignInStanding | null, string | null, string | null]>([
  ['somebody who signed in lately', lately, null, null],
  ['somebody who never signed in, and came in lately', { ...lately, signedInAt: null }, null, null],
  [
    'somebody whose sign-in is too old',
    { ...lately, signedInAt: now - 3_600_001 },
    'sign_in.not_fresh',
    'sign_in.not_fresh',
  ],
  [
    'somebody who last came in long ago',
    { ...lately, signedInAt: null, cameInAt: now - 91 * DAY_MS },
    'sign_in.dormant',
    null,
  ],
  ['somebody whom an issuer knows', { ...lately, cameInAt: now - 91 * DAY_MS, atIssuer: true }, null, null],
  ['a person of another tenant', null, 'resource.not_found', 'resource.not_found'],
])('%s', (_who, standing, review, administration) => {
  const fresh = asked(standing);
  const codeOf = async (result: ReturnType<RequireFreshSignIn['execute']>): Promise<string | null> => {
    const found = await result;
    return found.ok ? null : found.error.code;
  };

  it(`before a review: ${review ?? 'allowed'}`, async () => {
    expect(await codeOf(fresh.execute(person))).toBe(review);
    expect(await codeOf(fresh.within({ tenantId } as Tx, personId))).toBe(review);
  });

  it(`before an administrative action: ${administration ?? 'allowed'}`, async () => {
    expect(await codeOf(fresh.execute(person, 'admin'))).toBe(administration);
  });
});

it('asks nothing about somebody who has only tokens, but before a review', async () => {
  const nobody = asked(null);
  expect(await nobody.execute({ ...person, signedInAt: null }, 'admin')).toMatchObject({ ok: true });
  expect(await nobody.execute({ ...person, signedInAt: null })).toMatchObject({ ok: false });
});
