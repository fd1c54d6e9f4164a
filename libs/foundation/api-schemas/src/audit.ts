import { z } from 'zod';
import {
  lineSchema,
  timestampSchema,
  TOOL_CALL_DECISIONS,
  TOOL_LEVELS,
  toolNameSchema,
  uuidSchema,
  AUDIT_LEVELS,
  OUTCOMES,
} from '#lib/formats';
import { shellFactsSchema } from '#lib/policy-inputs';
import { appliedAloneShape } from './change-request.js';
import { actorSchema, pageOf, pageQuerySchema, subjectRefSchema } from './shared-schemas.js';

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
  .meta({ description: 'SHA-256, hexadecimal.' });

const auditEntryHeaderSchema = z
  .object({
    format: z.string(),
    tenant_id: z.string(),
    id: z.string(),
    occurred_at: timestampSchema,
    level: z.string(),
    action: z.string(),
    actor: actorSchema,
    subject: subjectRefSchema,
    within: z.array(subjectRefSchema).meta({ description: 'The things it happened in, outermost first.' }),
    decision_id: z.string().nullable(),
    evidence: z.array(z.object({ kind: z.string(), id: z.string(), digest: z.string() })),
    payload_digest: z.string(),
  })
  .meta({ id: 'AuditEntryHeader', description: 'The members that the log commits to.' });

export const auditEntrySchema = z
  .object({
    header: auditEntryHeaderSchema,
    payload: z.json().optional().meta({ description: 'Absent once it was erased under the retention rule.' }),
  })
  .meta({ id: 'AuditEntry' });

export const auditEntryPageSchema = pageOf(auditEntrySchema).meta({ id: 'AuditEntryPage' });

const auditFilterShape = {
  actor_id: z.string().min(1).max(100).optional(),
  subject_type: z.string().min(1).max(100).optional(),
  subject_id: z.string().min(1).max(100).optional(),
  tool: toolNameSchema.optional().meta({ description: 'Of the tool, and of every plan that calls it.' }),
  outcome: z.enum(OUTCOMES).optional().meta({ description: 'Of the entry’s decision.' }),
  level: z.enum(AUDIT_LEVELS).optional(),
  action: z.string().min(1).max(100).optional(),
  task_id: uuidSchema.optional(),
  plan_id: uuidSchema.optional(),
  run_id: uuidSchema.optional(),
  session_id: uuidSchema.optional(),
  from: z.iso.datetime().optional().meta({ description: 'Inclusive.' }),
  until: z.iso.datetime().optional().meta({ description: 'Exclusive.' }),
};

export const auditQuerySchema = pageQuerySchema.extend(auditFilterShape);

/** The filters of the entries, beside those of the decision. */
export const callDecisionQuerySchema = auditQuerySchema
  .omit({ action: true, subject_type: true, task_id: true, plan_id: true, run_id: true })
  .extend({
    tool: toolNameSchema.optional().meta({ description: 'Calls of this tool.' }),
    agent_id: uuidSchema.optional().meta({ description: 'Calls that this agent asked for.' }),
    command_lines: z.literal('true').optional().meta({ description: 'Calls with a command line alone.' }),
    decision: z.enum(TOOL_CALL_DECISIONS).optional().meta({ description: 'The decision word.' }),
    tier: z.coerce
      .number()
      .pipe(shellFactsSchema.shape.tier)
      .optional()
      .meta({ description: 'Command lines of this tier, 1 to 3.' }),
    class: shellFactsSchema.shape.class.optional().meta({ description: 'Command lines of this class.' }),
  });

/** If the payload was erased, each member that comes from it is null. */
export const callDecisionSchema = z
  .object({
    id: uuidSchema.meta({ description: 'The audit entry; `GET /v1/audit/entries/{id}` proves it.' }),
    occurred_at: timestampSchema,
    tool_call_id: z.string(),
    session_id: z.string().nullable(),
    agent_id: z.string().nullable().meta({ description: 'The agent that asked; null for a person.' }),
    actor: actorSchema,
    tool: z.string().nullable(),
    environment: z.string().nullable(),
    risk: z.enum(TOOL_LEVELS).nullable().meta({
      description: 'Of a command line by its class, else the level of the tool; null if there is no such tool.',
    }),
    tier: shellFactsSchema.shape.tier.nullable(),
    class: shellFactsSchema.shape.class.nullable(),
    decision: z.enum(TOOL_CALL_DECISIONS).nullable(),
    command: z.string().nullable().meta({ description: 'The command line; null for a call without one.' }),
    summary: z.string().meta({ description: 'One line for people.' }),
  })
  .meta({ id: 'CallDecision', description: 'A decision on a single tool call, as the audit log holds it.' });
export type CallDecisionView = z.infer<typeof callDecisionSchema>;

export const callDecisionPageSchema = pageOf(callDecisionSchema).meta({ id: 'CallDecisionPage' });

export const AUDIT_EXPORT_FORMATS = ['csv', 'jsonl'] as const;

export const auditExportQuerySchema = z.strictObject({
  format: z.enum(AUDIT_EXPORT_FORMATS).meta({ description: '`csv`, or `jsonl`: an entry a line.' }),
  ...auditFilterShape,
});

export const auditActionListSchema = z
  .object({ items: z.array(z.string()).meta({ description: 'By name.' }) })
  .meta({ id: 'AuditActionList' });

export const checkpointSchema = z
  .object({
    epoch: z.int(),
    tree_size: z.int(),
    root_hash: hash,
    note: z.string().meta({ description: 'The signed note (C2SP tlog-checkpoint).' }),
    key_name: z.string(),
    signed_at: timestampSchema,
    published_at: timestampSchema.nullable(),
    published_outside: z.boolean().meta({
      description:
        'Whether the operator named the destination that it was published to; false if it is only kept beside the data.',
    }),
  })
  .meta({ id: 'Checkpoint' });

export const provenAuditEntrySchema = auditEntrySchema
  .extend({
    salt: z.string().nullable().meta({ description: 'Hexadecimal; null once the payload was erased.' }),
    proof: z
      .object({ epoch: z.int(), leaf_index: z.int(), inclusion: z.array(hash), checkpoint: checkpointSchema })
      .nullable()
      .meta({ description: 'RFC 6962 section 2.1.1; null for the moment until the entry is sequenced.' }),
  })
  .meta({ id: 'ProvenAuditEntry' });

/** The largest value of a PostgreSQL integer. */
const MAX_EPOCHS = 2_147_483_647;

export const consistencyQuerySchema = z.strictObject({
  epoch: z.coerce.number().int().min(0).max(MAX_EPOCHS),
  first: z.coerce.number().int().min(1),
  second: z.coerce.number().int().min(1).optional(),
});

export const consistencyProofSchema = z
  .object({ epoch: z.int(), first: z.int(), second: z.int(), proof: z.array(hash) })
  .meta({ id: 'ConsistencyProof', description: 'RFC 6962 section 2.1.2.' });

export const auditKeySchema = z
  .object({
    name: z.string(),
    key: z.string().meta({ description: 'The key for `countersign verify --key` (C2SP signed-note).' }),
    valid_from: timestampSchema,
    valid_to: timestampSchema.nullable(),
  })
  .meta({ id: 'AuditKey' });

export const auditKeyRotatedSchema = auditKeySchema.extend(appliedAloneShape).meta({ id: 'AuditKeyRotated' });

export const auditKeyListSchema = z.object({ items: z.array(auditKeySchema) }).meta({ id: 'AuditKeyList' });

export const startEpochSchema = z
  .strictObject({
    reason: lineSchema(1_000).meta({ description: 'The restored backup, and the person who decided on it.' }),
    last_published: z
      .string()
      .min(1)
      .max(10_000)
      .nullable()
      .default(null)
      .meta({ description: 'The last checkpoint note that stands outside, as you hold it.' }),
  })
  .meta({ id: 'StartEpoch' });

export const epochSchema = z.object({ epoch: z.int().min(1), ...appliedAloneShape }).meta({ id: 'AuditEpoch' });

const keptDays = (least: number) =>
  z
    .int()
    .nullable()
    .meta({ description: `${String(least)} to 36,500; null keeps payloads for ever.` });

/** How long payloads are kept, by the level of their entry; the use case holds the least of each, and their order. */
export const retentionSchema = z
  .strictObject({
    keep_days: z.strictObject({
      basic: keptDays(30),
      detailed: keptDays(30),
      full: keptDays(90),
      full_with_evidence: keptDays(365),
      critical: keptDays(730),
    }),
  })
  .meta({ id: 'AuditRetention', description: 'Each level is kept at least as long as the one before it.' });

export const retentionSetSchema = retentionSchema.extend(appliedAloneShape).meta({ id: 'AuditRetentionSet' });
export type RetentionView = z.infer<typeof retentionSchema>;

export const evidenceRequestSchema = z
  .strictObject({
    held: z
      .array(z.string().min(1).max(10_000))
      .max(20)
      .default([])
      .meta({ description: 'Checkpoint notes you hold: the pack then proves that the log only grew since.' }),
  })
  .meta({ id: 'EvidenceRequest' });

/** A pack's own format is docs/adr/0003-evidence-packs.md; `countersign verify` reads it. */
export const evidencePackSchema = z.looseObject({ format: z.string() }).meta({ id: 'EvidencePack' });
