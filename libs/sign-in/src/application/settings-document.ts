import type { z } from 'zod';
import { wantedSignInSettingsSchema } from '#lib/contracts';
import type { IssuerDescription, WantedSettings } from '../domain/issuer.js';

type SettingsDocument = z.infer<typeof wantedSignInSettingsSchema>;
type IssuerDocument = SettingsDocument['issuers'][number];

/** The settings as they cross the wire, and as a change that waits is stored. */
export const settingsDocument = (settings: WantedSettings): SettingsDocument => ({
  reauthenticate_after_minutes: settings.reauthenticateAfterMinutes,
  sign_in_required: settings.signInRequired,
  issuers: settings.issuers.map(issuerDocument),
});

export const issuerDocument = (issuer: IssuerDescription): IssuerDocument => ({
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

export const wantedSettings = (document: SettingsDocument): WantedSettings => ({
  reauthenticateAfterMinutes: document.reauthenticate_after_minutes,
  signInRequired: document.sign_in_required,
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

/** A change that waited, as it was stored. */
export const storedSettings = (payload: unknown): WantedSettings =>
  wantedSettings(wantedSignInSettingsSchema.parse(payload));
