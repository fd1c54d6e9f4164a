import type { z } from 'zod';
import {
  toTimestamp,
  toTimestampOrNull,
  type browserSessionSchema,
  type signInSettingsSchema,
  type wantedSignInSettingsSchema,
} from '#lib/contracts';
import type { PersonPrincipal } from '#lib/kernel';
import type { BrowserSession, SignInAddresses, SignInSettings, WantedSettings } from '#lib/sign-in';

export const browserSessionView = (
  session: BrowserSession,
  by: PersonPrincipal,
): z.infer<typeof browserSessionSchema> => ({
  id: session.id,
  current: session.id === by.credentialId,
  issuer: session.issuerName,
  user_agent: session.userAgent,
  authenticated_at: toTimestamp(session.authenticatedAt),
  created_at: toTimestamp(session.createdAt),
  last_used_at: toTimestampOrNull(session.lastUsedAt),
  expires_at: toTimestamp(session.expiresAt),
});

export const signInSettingsView = (
  settings: SignInSettings,
  addresses: SignInAddresses,
  by: PersonPrincipal,
): z.infer<typeof signInSettingsSchema> => ({
  revision: settings.revision,
  reauthenticate_after_minutes: settings.reauthenticateAfterMinutes,
  sign_in_required: settings.signInRequired,
  issuers: settings.issuers.map((issuer) => ({
    id: issuer.id,
    name: issuer.name,
    display_name: issuer.displayName,
    issuer_url: issuer.url,
    client_id: issuer.clientId,
    client_secret: issuer.clientSecret,
    algorithms: [...issuer.algorithms],
    extra_scopes: [...issuer.extraScopes],
    roles_claim: issuer.rolesClaim,
    role_mappings: issuer.roleMappings.map(({ value, role }) => ({ value, role })),
    provision: issuer.provision,
    link_by_verified_email: issuer.linkByVerifiedEmail,
    bearer_scopes: [...issuer.bearerScopes],
  })),
  redirect_uri: addresses.redirectUri,
  post_logout_redirect_uri: addresses.signedOutUri,
  api_audience: addresses.audienceOf(by.tenantId),
});

export const wantedSettingsOf = (body: z.infer<typeof wantedSignInSettingsSchema>): WantedSettings => ({
  reauthenticateAfterMinutes: body.reauthenticate_after_minutes,
  signInRequired: body.sign_in_required,
  issuers: body.issuers.map((issuer) => ({
    name: issuer.name,
    displayName: issuer.display_name,
    url: issuer.issuer_url,
    clientId: issuer.client_id,
    clientSecret: issuer.client_secret,
    algorithms: issuer.algorithms,
    extraScopes: issuer.extra_scopes,
    rolesClaim: issuer.roles_claim,
    roleMappings: issuer.role_mappings,
    provision: issuer.provision,
    linkByVerifiedEmail: issuer.link_by_verified_email,
    bearerScopes: issuer.bearer_scopes,
  })),
});
