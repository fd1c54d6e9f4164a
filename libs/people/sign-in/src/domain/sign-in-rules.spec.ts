import type { PersonId, PersonPrincipal } from '#lib/kernel';
import { checkIssuers } from './check-settings.js';
import { decideFresh } from './fresh-sign-in.js';
import type { IssuerDescription, SignInSettings } from './issuer.js';
import { loosenedSettings } from './loosened-settings.js';
import { decideCameIn } from './passkey-way.js';
import { looksLikeJwt, readUnverified } from './read-unverified.js';
import { returnPath } from './return-path.js';
import { mappedRoles, roleChanges } from './role-changes.js';

const issuer: IssuerDescription = {
  name: 'acme',
  displayName: 'Acme',
  url: 'https://issuer.example.com',
  clientId: 'countersign',
  clientSecret: null,
  algorithms: ['RS256'],
  extraScopes: [],
  rolesClaim: 'groups',
  roleMappings: [
    { value: 'sre', role: 'SRELead' },
    { value: 'ops', role: 'SRELead' },
    { value: 'admins', role: 'PlatformAdmin' },
  ],
  provision: 'mapped',
  linkByVerifiedEmail: false,
  bearerScopes: ['read'],
};

describe('the roles of a sign-in', () => {
  const held = (role: string, assignedByIssuer: string | null) => ({
    role,
    assignedAt: 1,
    assignedBy: assignedByIssuer === null ? ('a person' as PersonId) : null,
    assignedByIssuer,
  });

  it('are those that a value of the claim is mapped to, each once', () => {
    expect(mappedRoles(issuer, ['ops', 'sre', 'everybody'])).toEqual(['SRELead']);
    expect(mappedRoles(issuer, [])).toEqual([]);
  });

  it.each([
    ['gained', [], ['SRELead'], { assign: ['SRELead'], revoke: [] }],
    ['kept, with its source', [held('SRELead', null)], ['SRELead'], { assign: [], revoke: [] }],
    ['kept, though another issuer gave it', [held('SRELead', 'other')], [], { assign: [], revoke: [] }],
    ['lost, if this issuer gave it', [held('SRELead', 'this')], [], { assign: [], revoke: ['SRELead'] }],
    ['kept, if a person gave it', [held('SRELead', null)], [], { assign: [], revoke: [] }],
  ])('are %s', (_what, before, wanted, expected) => {
    expect(roleChanges(before, wanted, 'this')).toEqual(expected);
  });
});

describe('a sign-in', () => {
  const MINUTE = 60_000;
  it.each<[string, PersonPrincipal['signedInAt'], string]>([
    ['that nobody asks for', null, 'ok'],
    ['of this moment', 1_000 * MINUTE, 'ok'],
    ['at the very limit', 990 * MINUTE, 'ok'],
    ['beyond it', 990 * MINUTE - 1, 'sign_in.not_fresh'],
    ['that never was', 'never', 'sign_in.not_fresh'],
  ])('%s', (_what, signedInAt, expected) => {
    const decided = decideFresh(signedInAt, 10, 1_000 * MINUTE);
    expect(decided.ok ? 'ok' : decided.error.code).toBe(expected);
  });

  it.each<[PersonPrincipal['signedInAt'], string]>([
    ['never', 'you never signed in there'],
    [1, 'Your last sign-in is longer ago than the 10 minutes'],
  ])('is asked for in words that fit: %j', (signedInAt, words) => {
    const message: unknown = expect.stringContaining(words);
    expect(decideFresh(signedInAt, 10, 1_000 * MINUTE)).toMatchObject({
      error: { message, details: { reauthenticate_after_minutes: 10 } },
    });
  });
});

describe('an account that no issuer ends', () => {
  const DAY = 86_400_000;
  it.each([
    ['in use lately', false, 100 * DAY, 'ok'],
    ['at the very limit', false, 10 * DAY, 'ok'],
    ['at rest for longer', false, 10 * DAY - 1, 'sign_in.dormant'],
    ['of somebody at an issuer', true, 0, 'ok'],
    ['that has let no person in', false, null, 'ok'],
  ])('%s', (_what, atIssuer, cameInAt, expected) => {
    const decided = decideCameIn({ atIssuer, cameInAt }, { dormantAfterDays: 90 }, 100 * DAY);
    expect(decided.ok ? 'ok' : decided.error.code).toBe(expected);
    if (!decided.ok) expect(decided.error.details).toEqual({ dormant_after_days: 90 });
  });
});

describe('the page after a sign-in', () => {
  it.each(['/', '/inbox', '/requests/1?tab=plan#steps'])('is %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });
  it.each([
    undefined,
    '',
    'inbox',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/a\nb',
    `/${'a'.repeat(1_000)}`,
  ])('is the first one for %j', (path) => {
    expect(returnPath(path)).toBe('/');
  });
});

describe('issuers beside each other', () => {
  const codes = (...issuers: readonly IssuerDescription[]): string[] => {
    const checked = checkIssuers(issuers, ({ hostname }) => hostname === 'localhost');
    return checked.ok ? [] : (checked.error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
  };

  it('can be used', () => {
    expect(codes(issuer, { ...issuer, name: 'other', url: 'http://localhost:8430' })).toEqual([]);
  });

  it.each<[string, Partial<IssuerDescription>, string[]]>([
    ['twice by one name', { url: 'https://other.example.com' }, ['/issuers/1/name issuer.name_twice']],
    ['twice at one address', { name: 'other' }, ['/issuers/1/issuer_url issuer.url_twice']],
    ['without TLS', { name: 'other', url: 'http://issuer.example.com' }, ['/issuers/1/issuer_url issuer.url']],
    ['with a query', { name: 'other', url: 'https://a.example.com/?x=1' }, ['/issuers/1/issuer_url issuer.url']],
    ['with a fragment', { name: 'other', url: 'https://a.example.com/#x' }, ['/issuers/1/issuer_url issuer.url']],
    [
      'with a name before its host',
      { name: 'other', url: 'https://u@a.example.com' },
      ['/issuers/1/issuer_url issuer.url'],
    ],
    [
      'with a password before its host',
      { name: 'other', url: 'https://:p@a.example.com' },
      ['/issuers/1/issuer_url issuer.url'],
    ],
    ['by another protocol', { name: 'other', url: 'ftp://localhost' }, ['/issuers/1/issuer_url issuer.url']],
    ['with a password', { name: 'other', url: 'https://u:p@a.example.com' }, ['/issuers/1/issuer_url issuer.url']],
    ['at no address', { name: 'other', url: 'issuer' }, ['/issuers/1/issuer_url issuer.url']],
    [
      'with a role that means everybody',
      { name: 'other', url: 'https://a.example.com', roleMappings: [{ value: 'x', role: 'any' }] },
      ['/issuers/1/role_mappings/0/role identity.role_name'],
    ],
  ])('cannot stand %s', (_what, change, expected) => {
    expect(codes(issuer, { ...issuer, ...change })).toEqual(expected);
  });
});

describe('a change of the settings', () => {
  const before: SignInSettings = {
    revision: 1,
    reauthenticateAfterMinutes: 60,
    signInRequired: true,
    dormantAfterDays: 90,
    browserSessionMinutes: 600,
    browserSessionIdleMinutes: 30,
    issuers: [{ ...issuer, id: '1' }],
  };
  const after = {
    reauthenticateAfterMinutes: 60,
    signInRequired: true,
    dormantAfterDays: 90,
    browserSessionMinutes: 600,
    browserSessionIdleMinutes: 30,
    issuers: [issuer],
  };

  it('that changes nothing, or tightens, loosens nothing', () => {
    expect(loosenedSettings(before, after)).toEqual([]);
    expect(
      loosenedSettings(before, {
        ...after,
        reauthenticateAfterMinutes: 5,
        dormantAfterDays: 30,
        browserSessionMinutes: 15,
        browserSessionIdleMinutes: 5,
        issuers: [{ ...issuer, roleMappings: [], provision: 'nobody', bearerScopes: [] }],
      }),
    ).toEqual([]);
  });

  it.each<[string, Partial<typeof after>]>([
    ['a longer sign-in', { reauthenticateAfterMinutes: 61 }],
    ['longer without coming in', { dormantAfterDays: 91 }],
    ['a longer browser session', { browserSessionMinutes: 601 }],
    ['a longer rest', { browserSessionIdleMinutes: 31 }],
    ['no sign-in of those without one', { signInRequired: false }],
    ['an issuer less, by which people were told apart', { issuers: [] }],
    ['another role', { issuers: [{ ...issuer, roleMappings: [...issuer.roleMappings, { value: 'x', role: 'Y' }] }] }],
    ['people of no role', { issuers: [{ ...issuer, provision: 'anybody' }] }],
    ['linking by address', { issuers: [{ ...issuer, linkByVerifiedEmail: true }] }],
    ['more for access tokens', { issuers: [{ ...issuer, bearerScopes: ['read', 'review'] }] }],
    ['another algorithm', { issuers: [{ ...issuer, algorithms: ['RS256', 'ES256'] }] }],
    ['another thing asked of it', { issuers: [{ ...issuer, extraScopes: ['groups'] }] }],
    ['another client', { issuers: [{ ...issuer, clientId: 'other' }] }],
  ])('to %s says so in one line', (_what, change) => {
    expect(loosenedSettings(before, { ...after, ...change })).toHaveLength(1);
  });

  it('to another claim gives every role anew, and another issuer lets others in', () => {
    expect(loosenedSettings(before, { ...after, issuers: [{ ...issuer, rolesClaim: 'roles' }] })).toHaveLength(3);
    const another = { ...issuer, name: 'other', url: 'https://other.example.com' };
    expect(loosenedSettings(before, { ...after, issuers: [issuer, another] })[0]).toContain(
      'https://other.example.com',
    );
  });

  it('to another issuer says each way in that it opens', () => {
    const another = { ...issuer, name: 'other', url: 'https://other.example.com', roleMappings: [] };
    const lines = (more: Partial<IssuerDescription>) =>
      loosenedSettings(before, { ...after, issuers: [issuer, { ...another, bearerScopes: [], ...more }] }).slice(1);
    expect(lines({})).toEqual([]);
    expect(lines({ linkByVerifiedEmail: true })).toEqual([
      'anybody to whom other gives the verified e-mail address of a person becomes that person',
    ]);
    expect(lines({ bearerScopes: ['read', 'review'] })).toEqual([
      'access tokens of other may be used for read, review',
    ]);
  });

  it('to one issuer less names it, also beside others', () => {
    const other = { ...issuer, name: 'other', url: 'https://other.example.com' };
    const both = { ...before, issuers: [...before.issuers, { ...other, id: '2' }] };
    const lines = (signInRequired: boolean) =>
      loosenedSettings({ ...both, signInRequired }, { ...after, signInRequired, issuers: [issuer] });
    expect(lines(true)).toEqual(['people whom other alone knows count as known by nobody']);
    expect(lines(false)).toEqual(['people who signed in by other are no longer asked to sign in again']);
  });

  it('to another role of one value says so', () => {
    const roleMappings = issuer.roleMappings.map((mapping) =>
      mapping.value === 'ops' ? { ...mapping, role: 'PlatformAdmin' } : mapping,
    );
    expect(loosenedSettings(before, { ...after, issuers: [{ ...issuer, roleMappings }] })).toEqual([
      'everybody with ops in groups at acme holds PlatformAdmin',
    ]);
  });

  it('says which people become persons here', () => {
    const lines = (was: 'nobody' | 'mapped', provision: 'mapped' | 'anybody') =>
      loosenedSettings(
        { ...before, issuers: [{ ...issuer, id: '1', provision: was }] },
        { ...after, issuers: [{ ...issuer, provision }] },
      );
    expect(lines('nobody', 'mapped')).toEqual(['everybody who gets a role of acme becomes a person here']);
    expect(lines('mapped', 'anybody')).toEqual(['anybody of acme becomes a person here']);
  });
});

describe('the claims of an unverified token', () => {
  const jwt = (claims: unknown): string =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;

  it('is its issuer and its audiences', () => {
    expect(readUnverified(jwt({ iss: 'i', aud: 'a' }))).toEqual({ issuer: 'i', audiences: ['a'] });
    expect(readUnverified(jwt({ iss: 'i', aud: ['a', 1, 'b'] }))).toEqual({ issuer: 'i', audiences: ['a', 'b'] });
  });

  it.each(['cs_p_abc', 'a.b', 'eyJ.x', jwt({ aud: 'a' }), jwt(null), jwt([]), 'eyJh.bm9uc2Vuc2U.x', jwt({ iss: 1 })])(
    'is nothing for %s',
    (token) => {
      expect(readUnverified(token)).toBeNull();
    },
  );

  it('are looked for only in a text that is spelled like a token', () => {
    expect(looksLikeJwt('eyJh.eyJi.c')).toBe(true);
    expect(looksLikeJwt(`cs_p_${'A'.repeat(49)}`)).toBe(false);
    expect(looksLikeJwt('x eyJh.eyJi.c')).toBe(false);
    expect(looksLikeJwt('eyJh.eyJi.c d')).toBe(false);
  });
});
