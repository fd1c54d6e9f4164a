import { z } from 'zod';
import {
  CONFIRM_WORD,
  digestSchema,
  lineSchema,
  MFA_METHODS,
  timestampSchema,
  uuidSchema,
  VERDICTS,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { fingerprintSchema } from './shared-schemas.js';

const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url: letters, digits, - and _')
    .max(max);

const stepUpId = uuidSchema.optional().meta({ description: 'A step-up that was proved for exactly this.' });

/** The one operation that a step-up is for; the request that carries it out repeats the same members. */
const steppedUpOperationSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('review'),
      request_id: uuidSchema,
      verdict: z.enum(VERDICTS),
      subject_digest: digestSchema,
      comment: z.string().max(4_000).default('').meta({ description: 'The comment of the review, to the letter.' }),
      always: z
        .literal(true)
        .exactOptional()
        .meta({ description: 'Present if the review says always, which holds for later calls of its shape.' }),
      confirm_word: z
        .literal(CONFIRM_WORD)
        .exactOptional()
        .meta({ description: 'Present if the review approves, and the request obliges to the word.' }),
    }),
    z.strictObject({
      kind: z.literal('break_glass'),
      plan_id: uuidSchema,
      plan_digest: digestSchema,
      justification: z
        .string()
        .max(4_000)
        .refine((text) => text.isWellFormed(), { message: 'is not well-formed text' }),
    }),
    z.strictObject({ kind: z.literal('change_confirm'), change_id: uuidSchema, change_digest: digestSchema }),
    z.strictObject({ kind: z.literal('vouch'), person_id: uuidSchema, fingerprint: fingerprintSchema }),
    z.strictObject({
      kind: z.literal('issuer_confirm'),
      issuer_id: uuidSchema,
      settings_revision: z.int().min(0).meta({ description: 'Of the sign-in settings that were looked at.' }),
    }),
    z.strictObject({
      kind: z.literal('factor_change'),
      change: z.enum(['add_totp', 'add_passkey', 'renew_recovery_codes']),
    }),
    z.strictObject({ kind: z.literal('factor_removal'), factor_id: uuidSchema }),
  ])
  .meta({ id: 'SteppedUpOperation' });

export const startStepUpSchema = z.strictObject({ operation: steppedUpOperationSchema }).meta({ id: 'StartStepUp' });
export type StartStepUpBody = z.infer<typeof startStepUpSchema>;

/** The options of WebAuthn for a browser, as @simplewebauthn/browser and `PublicKeyCredential.parse…FromJSON` take it. */
export const passkeyOptionsSchema = z.record(z.string(), z.json());

export const stepUpSchema = z
  .object({
    id: uuidSchema,
    operation_digest: digestSchema,
    methods: z.array(z.enum(MFA_METHODS)).meta({ description: 'The methods that can prove it, the preferred first.' }),
    passkey_options: passkeyOptionsSchema
      .nullable()
      .meta({ description: 'PublicKeyCredentialRequestOptionsJSON; null without a passkey. Good for one answer.' }),
    expires_at: timestampSchema.meta({ description: 'Until when it can be proved.' }),
  })
  .meta({ id: 'StepUp' });
export type StepUpView = z.infer<typeof stepUpSchema>;

const authenticatorAttachment = z.string().max(100).nullish();

const extensionResults = z.record(z.string(), z.json()).default({});

/** AuthenticationResponseJSON of WebAuthn. */
const assertionSchema = z.object({
  id: base64url(2_000),
  rawId: base64url(2_000),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8_000),
    authenticatorData: base64url(8_000),
    signature: base64url(8_000),
    userHandle: base64url(200).nullish(),
  }),
  clientExtensionResults: extensionResults,
  authenticatorAttachment,
});

const code = z.string().trim().min(1).max(64);

export const proveStepUpSchema = z
  .discriminatedUnion('method', [
    z.strictObject({ method: z.literal('totp'), code }),
    z.strictObject({ method: z.literal('recovery_code'), code }),
    z.strictObject({ method: z.literal('passkey'), assertion: assertionSchema }),
  ])
  .meta({ id: 'ProveStepUp' });
export type ProveStepUpBody = z.infer<typeof proveStepUpSchema>;

export const stepUpProofSchema = z
  .object({
    id: uuidSchema.meta({ description: 'Send it as step_up_id with the operation.' }),
    method: z.enum(MFA_METHODS),
    proved_at: timestampSchema,
    expires_at: timestampSchema.meta({ description: 'Until when the proof counts; it counts once.' }),
  })
  .meta({ id: 'StepUpProof' });
export type StepUpProofView = z.infer<typeof stepUpProofSchema>;

const factorSchema = z
  .object({
    id: uuidSchema,
    kind: z.enum(['totp', 'passkey']),
    name: z.string(),
    state: z.enum(['pending', 'active']).meta({ description: 'Only an active one counts.' }),
    created_at: timestampSchema,
    confirmed_at: timestampSchema.nullable(),
    last_used_at: timestampSchema.nullable(),
    synchronised: z.boolean().meta({ description: 'Whether a passkey is kept on several devices.' }),
  })
  .meta({ id: 'Factor' });
export type FactorView = z.infer<typeof factorSchema>;

export const factorListSchema = z
  .object({
    items: z.array(factorSchema),
    recovery_codes_left: z.int().min(0),
  })
  .meta({ id: 'FactorList' });
export type FactorListView = z.infer<typeof factorListSchema>;

/** The person to list the keys of. */
export const approverKeyQuerySchema = z.strictObject({
  person_id: uuidSchema.optional().meta({ description: 'Of this person; of all people if it is left out.' }),
});
export type ApproverKeyQuery = z.infer<typeof approverKeyQuerySchema>;

const approverKeySchema = z
  .object({
    factor_id: uuidSchema,
    person: z.object({ id: uuidSchema, display_name: z.string() }),
    name: z.string().meta({ description: 'The name that the person gave this passkey.' }),
    enrolled_at: timestampSchema,
    credential_id: z.string().meta({ description: 'As an approval that it signs names it.' }),
    line: z
      .string()
      .meta({ description: 'For an approver-keys file: person, credential, key, relying party, origin.' }),
    fingerprint: fingerprintSchema,
  })
  .meta({ id: 'ApproverKey' });
export type ApproverKeyView = z.infer<typeof approverKeySchema>;

export const approverKeyListSchema = z.object({ items: z.array(approverKeySchema) }).meta({ id: 'ApproverKeyList' });
export type ApproverKeyListView = z.infer<typeof approverKeyListSchema>;

export const enrolTotpSchema = z
  .strictObject({ name: lineSchema(100).default('Authenticator app'), step_up_id: stepUpId })
  .meta({ id: 'EnrolTotp' });
export type EnrolTotpBody = z.infer<typeof enrolTotpSchema>;

export const totpOfferSchema = z
  .object({
    id: uuidSchema,
    otpauth_uri: z.string(),
    qr_svg: z.string().meta({ description: 'The same as a QR code.' }),
    secret: z.string().meta({ description: 'For typing in, base 32. Shown once.' }),
  })
  .meta({ id: 'TotpOffer' });
export type TotpOfferView = z.infer<typeof totpOfferSchema>;

export const confirmTotpSchema = z.strictObject({ code }).meta({ id: 'ConfirmTotp' });

const recoveryCodes = z.array(z.string()).meta({ description: 'Each replaces a factor once. Shown once.' });

export const factorEnrolledSchema = z
  .object({
    factor: factorSchema,
    recovery_codes: recoveryCodes.nullable().meta({ description: 'With the first factor; null after it. Shown once.' }),
  })
  .meta({ id: 'FactorEnrolled' });
export type FactorEnrolledView = z.infer<typeof factorEnrolledSchema>;

export const passkeyOptionsRequestSchema = z
  .strictObject({ step_up_id: stepUpId })
  .meta({ id: 'PasskeyOptionsRequest' });

export const passkeyRegistrationOptionsSchema = z
  .object({ options: passkeyOptionsSchema.meta({ description: 'PublicKeyCredentialCreationOptionsJSON.' }) })
  .meta({ id: 'PasskeyRegistrationOptions' });
export type PasskeyRegistrationOptionsView = z.infer<typeof passkeyRegistrationOptionsSchema>;

/** RegistrationResponseJSON of WebAuthn. */
const registrationSchema = z.object({
  id: base64url(2_000),
  rawId: base64url(2_000),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8_000),
    attestationObject: base64url(32_000),
    transports: z.array(z.string().max(50)).max(10).default([]),
  }),
  clientExtensionResults: extensionResults,
  authenticatorAttachment,
});

export const registerPasskeySchema = z
  .strictObject({ name: lineSchema(100).default('Passkey'), registration: registrationSchema })
  .meta({ id: 'RegisterPasskey' });
export type RegisterPasskeyBody = z.infer<typeof registerPasskeySchema>;

export const removeFactorQuerySchema = z.strictObject({ step_up_id: stepUpId });

export const renewRecoveryCodesSchema = z.strictObject({ step_up_id: stepUpId }).meta({ id: 'RenewRecoveryCodes' });

export const recoveryCodesSchema = z.object({ recovery_codes: recoveryCodes }).meta({ id: 'RecoveryCodes' });
export type RecoveryCodesView = z.infer<typeof recoveryCodesSchema>;

export const resetFactorsSchema = z
  .strictObject({ reason: lineSchema(2_000).meta({ description: 'How it is known that it is them who ask.' }) })
  .meta({ id: 'ResetFactors' });

export const factorsResetSchema = z.object({ removed: z.int(), ...appliedAloneShape }).meta({ id: 'FactorsReset' });
export type FactorsResetView = z.infer<typeof factorsResetSchema>;
