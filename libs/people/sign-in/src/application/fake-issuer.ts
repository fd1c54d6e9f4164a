import type { IssuerDescription, SignInSettings } from '../domain/issuer.js';

/** An issuer as a tenant describes it: a public client. */
export const sampleIssuer = (members: Partial<IssuerDescription> = {}): IssuerDescription => ({
  name: 'acme',
  displayName: 'Acme',
  url: 'https://issuer.example.com',
  clientId: 'countersign',
  clientSecret: null,
  algorithms: ['RS256', 'ES256'],
  extraScopes: ['groups'],
  rolesClaim: 'groups',
  roleMappings: [
    { value: 'sre', role: 'SRELead' },
    { value: 'admins', role: 'PlatformAdmin' },
  ],
  provision: 'mapped',
  linkByVerifiedEmail: false,
  bearerScopes: ['read'],
  ...members,
});

type WrittenSettings = Omit<SignInSettings, 'issuers'> & { readonly issuers: readonly IssuerDescription[] };

/** Settings of a first revision, with one issuer. */
export const sampleSettings = (members: Partial<WrittenSettings> = {}): WrittenSettings => ({
  revision: 1,
  reauthenticateAfterMinutes: 60,
  signInRequired: false,
  dormantAfterDays: 30,
  browserSessionMinutes: 600,
  browserSessionIdleMinutes: 30,
  issuers: [sampleIssuer()],
  ...members,
});
