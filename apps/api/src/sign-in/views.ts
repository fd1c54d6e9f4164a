import type { z } from 'zod';
import { toTimestamp, toTimestampOrNull, type browserSessionSchema, type signInSettingsSchema } from '#lib/contracts';
import type { PersonPrincipal } from '#lib/kernel';
import { issuerDocument, type BrowserSession, type SignInAddresses, type SignInSettings } from '#lib/sign-in';

export const browserSessionView = (
  session: BrowserSession,
  by: PersonPrincipal,
): z.infer<typeof browserSessionSchema> => ({
  id: session.id,
  current: session.id === by.credentialId,
  issuer: session.issuerName,
  passkey: session.passkeyName,
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
  dormant_after_days: settings.dormantAfterDays,
  sign_in_required: settings.signInRequired,
  session_minutes: settings.sessionMinutes,
  session_idle_minutes: settings.sessionIdleMinutes,
  issuers: settings.issuers.map((issuer) => ({ id: issuer.id, ...issuerDocument(issuer) })),
  redirect_uri: addresses.redirectUri,
  post_logout_redirect_uri: addresses.signedOutUri,
  api_audience: addresses.audienceOf(by.tenantId),
});
