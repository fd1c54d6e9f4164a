import type { z } from 'zod';
import type { issuerDescriptionSchema, wantedSignInSettingsSchema } from '#lib/formats';
import type { IssuerDescription } from './issuer.js';

/** How people are to sign in, as somebody asks for it. */
export interface WantedSettings {
  readonly reauthenticateAfterMinutes: number;
  readonly signInRequired: boolean;
  /** Days without a sign-in after which a person unknown to every issuer stops reviewing. */
  readonly dormantAfterDays: number;
  /** When a browser session is over however much it is used; for those opened from then on. */
  readonly browserSessionMinutes: number;
  /** How long one may rest. */
  readonly browserSessionIdleMinutes: number;
  readonly issuers: readonly IssuerDescription[];
}

/** As it is sent and stored. */
export type SettingsDocument = z.infer<typeof wantedSignInSettingsSchema>;

export const wantedSettingsOf = (document: SettingsDocument): WantedSettings => ({
  reauthenticateAfterMinutes: document.reauthenticate_after_minutes,
  signInRequired: document.sign_in_required,
  dormantAfterDays: document.dormant_after_days,
  browserSessionMinutes: document.browser_session_minutes,
  browserSessionIdleMinutes: document.browser_session_idle_minutes,
  issuers: document.issuers.map((issuer) => ({
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

export const settingsDocument = (wanted: WantedSettings): SettingsDocument => ({
  reauthenticate_after_minutes: wanted.reauthenticateAfterMinutes,
  sign_in_required: wanted.signInRequired,
  dormant_after_days: wanted.dormantAfterDays,
  browser_session_minutes: wanted.browserSessionMinutes,
  browser_session_idle_minutes: wanted.browserSessionIdleMinutes,
  issuers: wanted.issuers.map(issuerDocument),
});

export const issuerDocument = (issuer: IssuerDescription): z.infer<typeof issuerDescriptionSchema> => ({
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
});
