import type { Issuer, IssuerDescription, SignInSettings } from './issuer.js';
import { standingsOf } from './issuer-standing.js';

const issuer: Issuer = {
  id: 'of-acme',
  name: 'acme',
  displayName: 'Acme',
  url: 'https://issuer.example.com',
  clientId: 'countersign',
  clientSecret: 'oidc@1',
  algorithms: ['RS256', 'ES256'],
  extraScopes: ['groups'],
  rolesClaim: 'groups',
  roleMappings: [{ value: 'sre', role: 'SRELead' }],
  provision: 'mapped',
  linkByVerifiedEmail: true,
  bearerScopes: ['read', 'submit'],
};
const settings = (...issuers: readonly Issuer[]): SignInSettings => ({
  revision: 1,
  reauthenticateAfterMinutes: 60,
  signInRequired: false,
  dormantAfterDays: 90,
  browserSessionMinutes: 600,
  browserSessionIdleMinutes: 30,
  issuers,
});
const without = settings({ ...issuer, linkByVerifiedEmail: false, provision: 'nobody' });

type Member = Exclude<keyof IssuerDescription, 'url'>;
type Cases = { readonly [M in Member]: readonly { readonly to: IssuerDescription[M]; readonly keeps: boolean }[] };

/** Every member of an issuer: whether one hand alone may write it and the issuer is believed as before. */
const CASES: Cases = {
  name: [{ to: 'corporate', keeps: true }],
  displayName: [{ to: 'Acme, Inc.', keeps: true }],
  clientSecret: [{ to: 'oidc@2', keeps: true }],
  clientId: [{ to: 'another', keeps: false }],
  algorithms: [
    { to: ['RS256'], keeps: true },
    { to: ['RS256', 'PS256'], keeps: false },
  ],
  extraScopes: [
    { to: [], keeps: true },
    { to: ['groups', 'teams'], keeps: false },
  ],
  rolesClaim: [{ to: 'roles', keeps: false }],
  roleMappings: [
    { to: [], keeps: true },
    { to: [{ value: 'everybody', role: 'SRELead' }], keeps: false },
  ],
  provision: [
    { to: 'nobody', keeps: true },
    { to: 'anybody', keeps: false },
  ],
  linkByVerifiedEmail: [{ to: false, keeps: true }],
  bearerScopes: [
    { to: ['read'], keeps: true },
    { to: ['read', 'review'], keeps: false },
  ],
};
const changes = Object.entries(CASES).flatMap(([member, cases]) =>
  cases.map(({ to, keeps }) => [member, JSON.stringify(to), keeps, { ...issuer, [member]: to }] as const),
);

describe('T39: an issuer that two people put in force, or confirmed', () => {
  it.each(changes)('changed by one hand alone, %s to %s: believed as before is %s', (_member, _to, keeps, changed) => {
    expect(standingsOf(settings(issuer), settings(changed), true)).toEqual(
      keeps ? [] : [{ id: issuer.id, how: 'alone' }],
    );
  });

  it('is believed no more if one hand alone has people linked by address', () => {
    expect(standingsOf(without, settings(issuer), true)).toEqual([{ id: issuer.id, how: 'alone' }]);
  });

  it.each(changes)('stands as before if two people change it, %s to %s', (_member, _to, _keeps, changed) => {
    expect(standingsOf(settings(issuer), settings(changed), false)).toEqual([]);
  });

  it('is not touched by a change of another', () => {
    const other = { ...issuer, id: 'other', url: 'https://other.example.com' };
    expect(standingsOf(settings(issuer), settings(issuer, other), true)).toEqual([{ id: 'other', how: 'alone' }]);
    expect(standingsOf(settings(issuer), settings(issuer, other), false)).toEqual([{ id: 'other', how: 'two_people' }]);
  });
});
