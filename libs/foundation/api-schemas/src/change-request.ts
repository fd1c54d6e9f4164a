import { z } from 'zod';
import { CHANGE_STATES, timestampSchema, uuidSchema } from '#lib/formats';
import { pageOf, pageQuerySchema } from './shared-schemas.js';
import { whyNotSchema } from './why-not.js';

const changeStateSchema = z.enum(CHANGE_STATES).meta({ id: 'ChangeState' });

const changeKindSchema = z
  .enum([
    'autonomy',
    'tool_catalog',
    'role_assignment',
    'executor',
    'environment',
    'factor_reset',
    'sign_in',
    'enrolment',
    'person_enabled',
    'agent_owner',
    'incident_settings',
    'slack_app',
    'slack_workspace',
    'slack_routes',
    'audit_retention',
    'audit_epoch',
    'audit_key',
    'secret_binding',
    'runner',
    'automation_safe_tool',
    'webhook',
    'lifecycle_hook',
    'siem_collector',
    'embedder',
  ])
  .meta({ id: 'ChangeKind' });

const changeDigestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits');

const personNamedSchema = z.object({
  id: uuidSchema,
  display_name: z.string(),
  known_by: z.array(z.string()).optional().meta({
    description: 'How they are known, in words. Only for the author and possible confirmers, if one change is read.',
  }),
});

/** The facts of a change, for the person who confirms it. Each kind has its own; the ones that all pages show alike are named here. */
export const changeDetailSchema = z
  .looseObject({
    diff: z.string().optional().meta({ description: 'Unified, of the documents before and after.' }),
    cells: z
      .array(
        z.object({
          tool: z.string(),
          environment: z.string(),
          change: z.enum(['loosens', 'tightens', 'mixed']),
          what: z.array(z.string()).meta({ description: 'In words.' }),
          before: z.string().meta({ description: 'The outcome of the decision before.' }),
          after: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'Of an autonomy document: the cells of the matrix that change, the first 500.' }),
    cells_changed: z.int().optional().meta({ description: 'How many cells change.' }),
  })
  .meta({ id: 'ChangeDetail' });

/** A change that loosens a guardrail, and waits for a second person. */
export const changeRequestSchema = z
  .object({
    id: uuidSchema,
    kind: changeKindSchema,
    state: changeStateSchema,
    what: z.string().meta({ description: 'The change in one line, worded by the server.' }),
    subject: z.object({ type: z.string(), id: z.string() }),
    loosens: z.array(z.string()).meta({ description: 'In words, worked out by the server from the difference.' }),
    detail: changeDetailSchema.meta({ description: 'The facts to compare before confirming.' }),
    change: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The change, exactly as it is carried out once it is confirmed.' }),
    change_digest: changeDigestSchema.meta({ description: 'The digest that a confirmation names.' }),
    reason: z.string().meta({ description: 'The reason, in the words of its author.' }),
    requested_by: personNamedSchema,
    required_role: z.string(),
    opened_at: timestampSchema,
    expires_at: timestampSchema,
    closed_at: timestampSchema.nullable(),
    closed_by: personNamedSchema.nullable(),
    closed_reason: z.string().nullable(),
    mfa_method: z.enum(['passkey', 'totp', 'recovery_code']).nullable(),
    role_warnings: z
      .array(z.string())
      .optional()
      .meta({ description: 'For each role that no document names, the role that was probably meant.' }),
    confirmers: z.array(personNamedSchema).meta({
      description: 'The people who could confirm it now, once they prove a second factor; empty once it is closed.',
    }),
    you: z.object({
      may_confirm: z.boolean(),
      why_not: whyNotSchema.nullable(),
    }),
  })
  .meta({ id: 'ChangeRequest' });
export type ChangeRequestView = z.infer<typeof changeRequestSchema>;

export const changeRequestPageSchema = pageOf(changeRequestSchema).meta({ id: 'ChangeRequestPage' });

export const changeQuerySchema = pageQuerySchema.extend({
  state: changeStateSchema.optional(),
  kind: changeKindSchema.optional(),
  confirmable: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ description: 'Only changes that you may confirm.' }),
});
export type ChangeQuery = z.infer<typeof changeQuerySchema>;

export const confirmChangeSchema = z
  .strictObject({
    change_digest: changeDigestSchema.meta({ description: 'That of the change you looked at.' }),
    step_up_id: uuidSchema
      .optional()
      .meta({ description: 'A step-up {kind: change_confirm, change_id, change_digest} that was proved.' }),
  })
  .meta({ id: 'ConfirmChange' });

export const rejectChangeSchema = z
  .strictObject({ comment: z.string().trim().min(1).max(2_000) })
  .meta({ id: 'RejectChange' });

/** Members of an answer to a loosening change that was applied at once, because no other person could confirm it. */
export const appliedAloneShape = {
  guarded: z
    .literal(false)
    .optional()
    .meta({ description: 'Present if the change loosens and no other person could confirm it.' }),
  guardrail_warning: z.string().optional(),
  role_warnings: z
    .array(z.string())
    .optional()
    .meta({ description: 'For each role that no document names, the role that was probably meant.' }),
};
