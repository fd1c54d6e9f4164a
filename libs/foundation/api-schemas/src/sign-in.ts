import { z } from 'zod';
import {
  dnsLabelSchema,
  issuerDescriptionSchema,
  lineSchema,
  signInSettingsShape,
  timestampSchema,
  uuidSchema,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { whyNotSchema } from './why-not.js';

export const signInOptionsQuerySchema = z.strictObject({
  tenant: dnsLabelSchema.optional().meta({ description: 'May be left out if the installation has one tenant.' }),
});

/** Of the routes of a passkey: it chooses the cell behind a router. */
export const passkeyTenantQuerySchema = z.strictObject({
  tenant: dnsLabelSchema
    .optional()
    .meta({ description: 'Behind a router, the tenant to sign in at. The passkey names its person all the same.' }),
});

export const signInOptionsSchema = z
  .object({
    issuers: z.array(z.object({ name: z.string(), display_name: z.string() })),
    passkeys: z.boolean().meta({ description: 'Whether a passkey of Countersign lets people in.' }),
    founded: z.boolean().meta({ description: 'Whether anybody has founded a tenant here.' }),
  })
  .meta({ id: 'SignInOptions' });

export const signInQuerySchema = z.strictObject({
  tenant: dnsLabelSchema.optional().meta({ description: 'May be left out if the installation has one tenant.' }),
  issuer: dnsLabelSchema.optional().meta({ description: 'May be left out if the tenant has one issuer.' }),
  return_to: z.string().max(2_000).optional().meta({ description: 'A path of our own to show afterwards.' }),
  prompt: z.enum(['login']).optional().meta({ description: 'The issuer has to ask who it is, though it may know.' }),
});

/** Issuers may add parameters; the server ignores them. */
export const signInReturnSchema = z
  .object({
    state: z.string().min(1).max(4_000),
    code: z.string().max(4_000).optional(),
    error: z.string().max(500).optional(),
  })
  .loose();

export const signedInBrowserSessionSchema = z
  .object({
    signed_in: z.literal(true),
    person: z.object({ id: uuidSchema, display_name: z.string(), email: z.string(), roles: z.array(z.string()) }),
    tenant: z.object({ slug: z.string(), name: z.string() }),
    csrf_token: z
      .string()
      .meta({ description: 'For the header X-Countersign-CSRF of every request that changes something.' }),
    expires_at: timestampSchema,
    signed_in_at: timestampSchema.nullable().meta({ description: 'Their last sign-in, at an issuer or by a passkey.' }),
    signed_in_by: z.enum(['issuer', 'passkey']).meta({ description: 'How this browser session was opened.' }),
    mfa: z.object({ totp: z.boolean(), passkeys: z.int() }),
  })
  .meta({ id: 'SignedInBrowserSession' });

export const currentBrowserSessionSchema = z
  .union([signedInBrowserSessionSchema, z.object({ signed_in: z.literal(false) })])
  .meta({ id: 'CurrentBrowserSession' });

export const signedOutSchema = z
  .object({
    redirect_to: z
      .string()
      .nullable()
      .meta({ description: 'The address at which to sign out at the issuer too, if it offers one.' }),
  })
  .meta({ id: 'SignedOut' });

export const browserSessionSchema = z
  .object({
    id: uuidSchema,
    current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
    issuer: z
      .string()
      .nullable()
      .meta({ description: 'The issuer at which they signed in; null for a passkey of Countersign.' }),
    passkey: z.string().nullable().meta({ description: 'The passkey that they signed in with; null for an issuer.' }),
    user_agent: z.string().meta({ description: 'How the browser called itself.' }),
    address: z.string().meta({ description: 'The network address that it was opened from.' }),
    authenticated_at: timestampSchema,
    created_at: timestampSchema,
    last_used_at: timestampSchema.nullable().meta({ description: 'To the minute.' }),
    expires_at: timestampSchema,
  })
  .meta({ id: 'BrowserSession' });

export const issuerTestSchema = z
  .object({
    issuer_url: z.string(),
    keys: z.int().nullable().meta({ description: 'How many keys it publishes; null if they could not be read.' }),
    problem: z.string().nullable().meta({ description: 'The problem, for people; null if people can sign in there.' }),
  })
  .meta({ id: 'IssuerTest' });

export const browserSessionListSchema = z
  .object({ items: z.array(browserSessionSchema) })
  .meta({ id: 'BrowserSessionList' });

const ISSUER_STANDINGS = ['alone', 'two_people', 'confirmed'] as const;

const issuerStandingSchema = z
  .object({
    how: z.enum(ISSUER_STANDINGS).meta({
      description:
        'The people who put it in force. An issuer that one person alone put in force makes no person known.',
    }),
    person: z
      .object({ id: uuidSchema, display_name: z.string() })
      .meta({ description: 'The person who put it in force alone, or confirmed it last.' }),
    words: z.string().meta({ description: 'The same, for people.' }),
    you: z.object({
      may_confirm: z.boolean(),
      why_not: whyNotSchema.nullable(),
    }),
  })
  .nullable()
  .meta({ id: 'IssuerStanding' });

export const confirmIssuerSchema = z
  .strictObject({
    settings_revision: z.int().min(0).meta({ description: 'Of the sign-in settings that you looked at.' }),
    step_up_id: uuidSchema.optional().meta({
      description: 'A step-up {kind: issuer_confirm, issuer_id, settings_revision} that was proved.',
    }),
  })
  .meta({ id: 'ConfirmIssuer' });

export const signInSettingsSchema = z
  .object({
    revision: z.int(),
    ...signInSettingsShape,
    issuers: z.array(z.object({ id: uuidSchema, ...issuerDescriptionSchema.shape, standing: issuerStandingSchema })),
    redirect_uri: z.string().meta({
      description:
        'To be registered at the issuer: where browsers come back to, with the name of the issuer in place of `{name}`.',
    }),
    post_logout_redirect_uri: z
      .string()
      .meta({ description: 'To be registered at the issuer: where browsers go after signing out.' }),
    api_audience: z
      .string()
      .meta({ description: 'The audience that access tokens for this tenant’s API have to name.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'SignInSettings' });
export type SignInSettingsView = z.infer<typeof signInSettingsSchema>;

const passkeyDocument = z.record(z.string(), z.json());

export const passkeySignInOptionsSchema = z
  .object({
    options: passkeyDocument.meta({ description: 'PublicKeyCredentialRequestOptionsJSON; good for one answer.' }),
  })
  .meta({ id: 'PasskeySignInOptions' });

/** The answer of a browser, as @simplewebauthn/browser has it; the signature is looked at in full. */
const passkeyAnswerSchema = z
  .object({
    id: z.string().min(1).max(2_000),
    response: z.object({ clientDataJSON: z.string().max(4_000), userHandle: z.string().max(200).optional() }).loose(),
  })
  .loose();

export const passkeySignInSchema = z.strictObject({ assertion: passkeyAnswerSchema }).meta({ id: 'PasskeySignIn' });

export const lookAtInvitationSchema = z
  .strictObject({ enrolment_token: z.string().max(200) })
  .meta({ id: 'LookAtInvitation' });

export const invitationSeenSchema = z
  .object({
    organisation: z.string(),
    display_name: z.string(),
    email: z.string(),
    roles: z.array(z.string()),
    expires_at: timestampSchema,
    proof_required: z.boolean().meta({
      description: 'They have a second factor already: a code of it, or a recovery code, goes with the new passkey.',
    }),
    options: passkeyDocument.meta({ description: 'PublicKeyCredentialCreationOptionsJSON; good for one answer.' }),
  })
  .meta({ id: 'InvitationSeen' });

export const acceptInvitationSchema = z
  .strictObject({
    enrolment_token: z.string().max(200),
    name: lineSchema(100).meta({ description: 'Your name for the device that the passkey is on.' }),
    registration: passkeyDocument,
    proof: z
      .strictObject({ method: z.enum(['totp', 'recovery_code']), code: z.string().min(1).max(100) })
      .optional()
      .meta({ description: 'Of a factor that you have already.' }),
  })
  .meta({ id: 'AcceptInvitation' });

export const invitationAcceptedSchema = z
  .object({
    recovery_codes: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Shown this once; null if you have some already.' }),
  })
  .meta({ id: 'InvitationAccepted' });
