import { z } from 'zod';
import { lineSchema, roleSchema, SCOPE_NAMES, scopeSchema, timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape, changeRequestSchema } from './change-request.js';
import { fingerprintSchema, pageOf, pageQuerySchema } from './shared-schemas.js';

const emailSchema = z.email().max(254).meta({ description: 'Unique in the tenant, without regard to case.' });

const displayNameSchema = lineSchema(200);

export const bootstrapRequestSchema = z
  .strictObject({
    bootstrap_token: z.string().max(200),
    tenant: z.strictObject({
      slug: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a DNS label in lower case'),
      name: lineSchema(200),
    }),
    admin: z.strictObject({ email: emailSchema, display_name: displayNameSchema }),
  })
  .meta({ id: 'BootstrapRequest' });

export const enrolmentSchema = z
  .object({
    enrolment_token: z.string().meta({ description: 'Shown once. Exchange it at POST /v1/enrolment.' }),
    invitation_url: z.string().meta({ description: 'The same as a link, for a browser: shown once.' }),
    expires_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'Enrolment' });

export const waitingEnrolmentSchema = changeRequestSchema
  .extend({
    enrolment_token: z.string().meta({
      description: 'Shown once. It opens nothing until the change is confirmed, and is good for its time from then on.',
    }),
    invitation_url: z.string().meta({ description: 'The same as a link, for a browser: shown once.' }),
  })
  .meta({ id: 'WaitingEnrolment' });

export const newInvitationSchema = z
  .strictObject({
    email: emailSchema,
    display_name: displayNameSchema,
    roles: z
      .array(roleSchema)
      .max(20)
      .default([])
      .meta({ description: 'The roles that they hold from the moment of the invitation.' }),
  })
  .meta({ id: 'NewInvitation' });

export const invitationSchema = z
  .object({ person_id: uuidSchema, ...enrolmentSchema.shape })
  .meta({ id: 'Invitation' });

export const waitingInvitationSchema = waitingEnrolmentSchema
  .extend({ person_id: uuidSchema })
  .meta({ id: 'WaitingInvitation' });

const mailedShape = {
  person_id: uuidSchema,
  mailed_to: z.string().meta({ description: 'The link stands in that mail and nowhere else.' }),
};

export const mailedInvitationSchema = z
  .object({ ...mailedShape, expires_at: timestampSchema, ...appliedAloneShape })
  .meta({ id: 'MailedInvitation' });

export const waitingMailedInvitationSchema = changeRequestSchema
  .extend(mailedShape)
  .meta({ id: 'WaitingMailedInvitation' });

export const openInvitationsSchema = z
  .object({
    can_mail: z
      .boolean()
      .meta({ description: 'Whether this installation has a mail server: POST /v1/invitations/mailed.' }),
    items: z.array(
      z.object({
        person: z.object({ id: uuidSchema, display_name: z.string(), email: z.string() }),
        channel: z
          .enum(['shown', 'mailed', 'operator', 'bootstrap'])
          .meta({ description: 'How its secret was handed out.' }),
        invited_by: z.object({ id: uuidSchema, display_name: z.string() }).nullable(),
        created_at: timestampSchema,
        expires_at: timestampSchema,
      }),
    ),
  })
  .meta({ id: 'OpenInvitations' });

export const bootstrapAnswerSchema = z
  .object({ tenant_id: uuidSchema, person_id: uuidSchema, enrolment: enrolmentSchema })
  .meta({ id: 'BootstrapAnswer' });

export const newTokenSchema = z
  .strictObject({
    name: lineSchema(200).meta({ description: 'Your name for it, such as the place of its use.' }),
    scopes: z.array(scopeSchema).min(1).max(SCOPE_NAMES.length).optional().meta({ description: 'read without it.' }),
    expires_in_days: z
      .int()
      .min(1)
      .max(365)
      .optional()
      .meta({ description: '90 without it; a delegation has 30, and no more.' }),
  })
  .meta({ id: 'NewToken' });

export const enrolmentExchangeSchema = z
  .strictObject({ ...newTokenSchema.shape, enrolment_token: z.string().max(200) })
  .meta({ id: 'EnrolmentExchange' });

export const tokenSchema = z
  .object({
    id: uuidSchema,
    kind: z.enum([
      'person_token',
      'agent_token',
      'delegation',
      'browser_session',
      'issuer_token',
      'slack_link',
      'automation',
    ]),
    person_id: uuidSchema.nullable(),
    agent_id: uuidSchema.nullable(),
    on_behalf_of: uuidSchema.nullable(),
    name: z.string(),
    prefix: z.string().meta({ description: 'The token’s recognisable start.' }),
    scopes: z.array(scopeSchema),
    created_at: timestampSchema,
    created_by: uuidSchema.nullable(),
    expires_at: timestampSchema,
    revoked_at: timestampSchema.nullable(),
    last_used_at: timestampSchema.nullable().meta({ description: 'To the minute.' }),
  })
  .meta({ id: 'Token' });

export const mintedTokenSchema = z
  .object({ ...tokenSchema.shape, token: z.string().meta({ description: 'The token itself, shown this once.' }) })
  .meta({ id: 'MintedToken' });

export const tokenPageSchema = pageOf(tokenSchema).meta({ id: 'TokenPage' });

export const newPersonSchema = z
  .strictObject({ email: emailSchema, display_name: displayNameSchema })
  .meta({ id: 'NewPerson' });

export const personChangeSchema = z
  .strictObject({
    display_name: displayNameSchema.optional(),
    disabled: z.boolean().optional().meta({ description: 'true revokes every token of theirs.' }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { error: 'must change something' })
  .meta({ id: 'PersonChange' });

const roleAssignmentSchema = z
  .object({
    role: z.string(),
    assigned_at: timestampSchema,
    assigned_by: uuidSchema.nullable(),
    assigned_by_issuer: uuidSchema.nullable().meta({ description: 'The issuer that gives it by a claim.' }),
  })
  .meta({ id: 'RoleAssignment' });

const KNOWN_BASES = ['founder', 'issuer', 'mailed_invitation', 'vouched', 'operator', 'token'] as const;

/** The basis on which a person is known, and the people who share one vote with them. */
export const standingSchema = z
  .object({
    known: z.boolean().meta({ description: 'Whether they have a vote of their own.' }),
    known_by: z.array(
      z.object({
        basis: z.enum(KNOWN_BASES),
        words: z.string(),
        counts: z.boolean(),
        at: timestampSchema,
      }),
    ),
    shares_vote_with: z
      .array(z.object({ id: uuidSchema, display_name: z.string() }))
      .meta({ description: 'The people that let them in, until they are known otherwise.' }),
  })
  .meta({ id: 'Standing' });

export const personSchema = z
  .object({
    id: uuidSchema,
    email: z.string().nullable().meta({ description: 'null: an agent asks, and agents are shown no addresses.' }),
    display_name: z.string(),
    name_note: z.string().nullable().meta({
      description:
        'A note if another person or agent has this name or one like it. Also if it was given within a week.',
    }),
    created_at: timestampSchema,
    enrolled_at: timestampSchema.nullable(),
    disabled_at: timestampSchema.nullable(),
    came_in_at: timestampSchema.nullable().meta({
      description: 'When they last signed in: at an issuer, by a passkey of ours, or by a link of the operator.',
    }),
    roles: z.array(roleAssignmentSchema),
    standing: standingSchema
      .optional()
      .meta({ description: 'Only in answers that list or read people, and never for an agent.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'Person' });

export const peopleQuerySchema = pageQuerySchema.extend({
  without_issuer: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: only people who are not disabled, and known by no issuer in service.' }),
});

export const personPageSchema = pageOf(personSchema).meta({ id: 'PersonPage' });

export const vouchSchema = z
  .strictObject({
    fingerprint: fingerprintSchema.meta({
      description: 'Of the one passkey that the person keeps: the person read it to the admin who vouches.',
    }),
    step_up_id: uuidSchema
      .optional()
      .meta({ description: 'A step-up {kind: vouch, person_id, fingerprint} that was proved.' }),
  })
  .meta({ id: 'Vouch' });

export const vouchedPersonSchema = personSchema
  .extend({
    ended: z
      .object({
        revoked_tokens: z.int().min(0).meta({
          description:
            'Browser sessions, tokens and Slack links of the person, and tokens of agents made in their name.',
        }),
        invitations: z.int().min(0),
        factors: z.int().min(0).meta({ description: 'Every second factor but the passkey that was compared.' }),
        delegations: z.int().min(0).meta({ description: 'By which somebody else stood in for the person.' }),
        browsers: z.int().min(0).meta({ description: 'That got push messages for the person.' }),
      })
      .meta({ description: 'The credentials made in the name of the person before, which ended with this vouch.' }),
  })
  .meta({ id: 'VouchedPerson' });

export const roleQuerySchema = z.strictObject({ name: roleSchema.optional() });
export type RoleQuery = z.infer<typeof roleQuerySchema>;

export const knownRolesSchema = z
  .object({
    items: z.array(
      z.object({
        role: z.string(),
        by: z.array(z.enum(['standard', 'autonomy', 'issuer', 'held'])).meta({
          description: 'The product’s own; named by the autonomy document, by an issuer’s mapping; held by somebody.',
        }),
      }),
    ),
    warnings: z.array(z.string()).meta({ description: 'Of the name that was asked about, if nothing names it.' }),
  })
  .meta({ id: 'KnownRoles' });
export type KnownRolesView = z.infer<typeof knownRolesSchema>;

export const newRoleSchema = z.strictObject({ role: roleSchema }).meta({ id: 'NewRole' });

export const newAgentSchema = z
  .strictObject({
    name: lineSchema(200),
    description: z.string().max(2_000).default(''),
    owner_id: uuidSchema.meta({ description: 'The accountable person, who never reviews requests of the agent.' }),
  })
  .meta({ id: 'NewAgent' });

export const agentChangeSchema = z
  .strictObject({
    name: lineSchema(200).optional(),
    description: z.string().max(2_000).optional(),
    owner_id: uuidSchema.optional(),
    disabled: z.boolean().optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), { error: 'must change something' })
  .meta({ id: 'AgentChange' });

export const agentSchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    name_note: z.string().nullable().meta({
      description:
        'A note if another person or agent has this name or one like it. Also if it was given within a week.',
    }),
    description: z.string(),
    owner_id: uuidSchema,
    created_at: timestampSchema,
    disabled_at: timestampSchema.nullable(),
    ...appliedAloneShape,
  })
  .meta({ id: 'Agent' });

export const agentPageSchema = pageOf(agentSchema).meta({ id: 'AgentPage' });

/** The caller, as the API sees them. */
export const meSchema = z
  .object({
    tenant_id: uuidSchema,
    tenant_slug: z.string(),
    kind: z.enum(['person', 'agent']),
    id: uuidSchema,
    display_name: z.string(),
    credential_id: uuidSchema,
    scopes: z.array(scopeSchema),
    roles: z.array(z.object({ role: z.string(), counts_from: timestampSchema })),
    owner_id: uuidSchema.nullable(),
    on_behalf_of: uuidSchema.nullable(),
  })
  .meta({ id: 'Me' });
