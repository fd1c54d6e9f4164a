import { z } from 'zod';
import { lineSchema } from './primitives.js';
import { roleSchema, scopeSchema } from './roles.js';

export const dnsLabelSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label in lower case');

const ISSUER_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const plainText = (max: number) => z.string().min(1).max(max);

export const issuerDescriptionSchema = z
  .strictObject({
    name: dnsLabelSchema.meta({ description: 'For addresses.' }),
    display_name: lineSchema(200),
    issuer_url: plainText(500).meta({ description: 'The issuer identifier, exactly as its tokens spell it.' }),
    client_id: plainText(500),
    client_secret: z.string().max(200).nullable().default(null).meta({
      description: 'The secret of the tenant that holds it, as name@version; null for a public client with PKCE.',
    }),
    algorithms: z.array(z.enum(ISSUER_ALGORITHMS)).min(1).default(['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']),
    extra_scopes: z
      .array(
        z
          .string()
          .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'must be printable ASCII without spaces, quotes and backslashes'),
      )
      .max(20)
      .default([])
      .meta({ description: 'Asked for besides openid, profile and email.' }),
    roles_claim: plainText(200).default('groups'),
    role_mappings: z
      .array(z.strictObject({ value: plainText(500), role: roleSchema }))
      .max(500)
      .default([])
      .meta({ description: 'A person with the value in the claim holds the role.' }),
    provision: z.enum(['mapped', 'anybody', 'nobody']).default('mapped').meta({
      description:
        'The users that become people at their first sign-in. They are those who get a role, all that the issuer knows, or none.',
    }),
    link_by_verified_email: z.boolean().default(false).meta({
      description: 'A first sign-in with the verified e-mail address of a person who is there is theirs.',
    }),
    bearer_scopes: z.array(scopeSchema).max(7).default(['read', 'submit', 'run']).meta({
      description: 'The scopes of its access tokens, within the roles of their holder; empty refuses them.',
    }),
  })
  .meta({ id: 'IssuerDescription' });

export const signInSettingsShape = {
  reauthenticate_after_minutes: z.int().min(5).max(43_200).default(720).meta({
    description: 'How old a sign-in may be for a review or an administrative action.',
  }),
  browser_session_minutes: z.int().min(15).max(720).default(720).meta({
    description: 'When a browser session is over, even if it is in use; for browser sessions opened from then on.',
  }),
  browser_session_idle_minutes: z
    .int()
    .min(5)
    .max(60)
    .default(60)
    .meta({ description: 'How long a browser session may rest.' }),
  dormant_after_days: z.int().min(7).max(365).default(90).meta({
    description:
      'After so many days without coming in, somebody known by no issuer cannot review, until an admin invites them again.',
  }),
  sign_in_required: z.boolean().default(false).meta({
    description:
      'Whether the issuers are the only way in. Then passkeys of ours, invitations and browser sessions that no issuer opened open nothing. Tokens of people that no issuer knows open nothing, too. Agents’ tokens stay.',
  }),
};

export const wantedSignInSettingsSchema = z
  .strictObject({ ...signInSettingsShape, issuers: z.array(issuerDescriptionSchema).max(20) })
  .meta({ id: 'WantedSignInSettings' });
