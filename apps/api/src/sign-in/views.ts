import type { z } from 'zod';
import type { browserSessionSchema, signInSettingsSchema } from '#lib/api-schemas';
import { type PersonPrincipal, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import {
  issuerDocument,
  type BrowserSession,
  type NamedIssuerStanding,
  type SignInAddresses,
  type SignInSettings,
} from '#lib/sign-in';
import { whyNotView } from '../http/index.js';

export const browserSessionView = (
  browserSession: BrowserSession,
  by: PersonPrincipal,
): z.infer<typeof browserSessionSchema> => ({
  id: browserSession.id,
  current: browserSession.id === by.credentialId,
  issuer: browserSession.issuerName,
  passkey: browserSession.passkeyName,
  user_agent: browserSession.userAgent,
  address: browserSession.address,
  authenticated_at: toTimestamp(browserSession.authenticatedAt),
  created_at: toTimestamp(browserSession.createdAt),
  last_used_at: toTimestampOrNull(browserSession.lastUsedAt),
  expires_at: toTimestamp(browserSession.expiresAt),
});

export const signInSettingsView = (
  settings: SignInSettings,
  standings: ReadonlyMap<string, NamedIssuerStanding>,
  addresses: SignInAddresses,
  by: PersonPrincipal,
): z.infer<typeof signInSettingsSchema> => ({
  revision: settings.revision,
  reauthenticate_after_minutes: settings.reauthenticateAfterMinutes,
  dormant_after_days: settings.dormantAfterDays,
  sign_in_required: settings.signInRequired,
  browser_session_minutes: settings.browserSessionMinutes,
  browser_session_idle_minutes: settings.browserSessionIdleMinutes,
  issuers: settings.issuers.map((issuer) => ({
    id: issuer.id,
    ...issuerDocument(issuer),
    standing: standingView(standings.get(issuer.id)),
  })),
  redirect_uri: addresses.redirectUri(by.tenantId, '{name}'),
  post_logout_redirect_uri: addresses.signedOutUri,
  api_audience: addresses.audienceOf(by.tenantId),
});

const STANDING_WORDS = {
  alone: (name: string) =>
    `Set up by ${name} alone: nobody is known by it until a person of another hand has confirmed it.`,
  two_people: () => 'Put in force by two people: people who sign in there are known by it.',
  confirmed: (name: string) => `Confirmed by ${name}: people who sign in there are known by it.`,
} as const;

function standingView(
  standing: NamedIssuerStanding | undefined,
): z.infer<typeof signInSettingsSchema>['issuers'][number]['standing'] {
  if (standing === undefined) return null;
  const { how, person, whyNot } = standing;
  return {
    how,
    person: { id: person.id, display_name: person.displayName },
    words: STANDING_WORDS[how](person.displayName),
    you: {
      may_confirm: whyNot === null,
      why_not: whyNot === null ? null : whyNotView(whyNot),
    },
  };
}
