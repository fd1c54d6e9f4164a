import { z } from 'zod';
import { digestSchema, timestampSchema, uuidSchema } from './primitives.js';
import { CONFIRM_WORD } from './states.js';

type StoredJson = string | number | boolean | null | readonly StoredJson[] | { readonly [name: string]: StoredJson };

/**
 * The documents that audit entries fix by digest, and that evidence packs hold. Each library builds its own; the types here
 * hold the builders to these shapes.
 */
const moment = z.int().meta({ description: 'Epoch milliseconds.' });
const anyJson: z.ZodType<StoredJson> = z.json();
const facts = z.record(z.string(), anyJson);
const nullableFacts = facts.nullable();
const stepErrorSchema = z.strictObject({ code: z.string(), message: z.string() }).nullable();

const actorSchema = z.strictObject({
  kind: z.enum(['person', 'agent', 'system']),
  id: z.string(),
  display_name: z.string(),
  credential_id: z.string().nullable(),
  on_behalf_of: z.string().nullable(),
});

/** An attempt that has been answered or given up. */
export const attemptDocumentSchema = z.strictObject({
  id: uuidSchema,
  run_id: uuidSchema,
  run_step_id: uuidSchema,
  purpose: z.enum(['call', 'compensation']),
  number: z.int(),
  decision_id: uuidSchema,
  executor: z.string(),
  executor_version: z.int(),
  agent_id: uuidSchema.exactOptional(),
  unverified: z.literal(true).exactOptional(),
  arguments_digest: digestSchema,
  targets: z.array(z.string()),
  dispatched_at: timestampSchema,
  finished_at: timestampSchema,
  outcome: z.enum(['succeeded', 'failed', 'unknown']).nullable(),
  effect: z.enum(['not_started', 'done']).nullable(),
  result: anyJson,
  error: stepErrorSchema,
});
export type AttemptDocument = z.infer<typeof attemptDocumentSchema>;

/** A run that has ended. */
export const runDocumentSchema = z.strictObject({
  id: uuidSchema,
  task_id: uuidSchema,
  plan_id: uuidSchema,
  plan_digest: digestSchema,
  environment_id: uuidSchema,
  approval_request_id: uuidSchema.nullable(),
  incident_id: uuidSchema.exactOptional(),
  simulation_id: uuidSchema.nullable(),
  decision_id: uuidSchema,
  approved_terms: facts,
  phases: z.enum(['all', 'canary', 'promotion']),
  state: z.string(),
  reason: nullableFacts,
  rollback_reason: nullableFacts,
  outcome: nullableFacts,
  started_by: actorSchema,
  created_at: timestampSchema,
  started_at: timestampSchema.nullable(),
  finished_at: timestampSchema,
  steps: z.array(
    z.strictObject({
      id: uuidSchema,
      kind: z.enum(['call', 'health_check']),
      seq: z.int(),
      phase_index: z.int(),
      batch_index: z.int(),
      step_id: z.string(),
      health_round: z.int(),
      tool: z.string(),
      state: z.string(),
      attempts: z.int(),
      compensations: z.int(),
      resolved_as: z.enum(['happened', 'did_not']).nullable(),
      error: stepErrorSchema,
    }),
  ),
  health: z.array(
    z.strictObject({
      phase_index: z.int(),
      batch_index: z.int(),
      health_round: z.int(),
      metrics: z.record(z.string(), z.number()),
      condition: z.string().nullable(),
      verdict: z.enum(['healthy', 'roll_back', 'unclear']),
      evaluated_at: timestampSchema,
    }),
  ),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;

/** The question of an approval request. */
export const requestDocumentSchema = z.strictObject({
  id: uuidSchema,
  subject: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('plan'),
      id: uuidSchema,
      task_id: uuidSchema,
      simulation_id: uuidSchema.nullable(),
      phases: z.enum(['all', 'canary', 'promotion']),
    }),
    z.strictObject({ type: z.literal('tool_call'), id: uuidSchema, session_id: uuidSchema.nullable() }),
  ]),
  binding_digest: digestSchema,
  decision_id: uuidSchema,
  obligations: facts,
  effective: facts,
  autonomy_revision_id: uuidSchema.nullable(),
  bundle_revision: z.string(),
  excluded: z.array(
    z.strictObject({ person_id: uuidSchema, why: z.string(), shares_with: uuidSchema.exactOptional() }),
  ),
  requester: z.strictObject({
    kind: z.enum(['person', 'agent']),
    id: uuidSchema,
    on_behalf_of: uuidSchema.nullable(),
    credential_id: uuidSchema,
  }),
  start: z.enum(['on_approval', 'manual', 'at']),
  start_at: moment.nullable(),
  opened_at: moment,
  expires_at: moment,
});
export type RequestDocument = z.infer<typeof requestDocumentSchema>;

/** Present if an approval holds for later calls of this shape in the session, too. */
const always = z.literal(true).exactOptional();
/** The word that the person typed; present exactly if it is an approval, and the request obliged to the word. */
const confirmWord = z.literal(CONFIRM_WORD).exactOptional();

/** The verdict of one person. */
export const reviewDocumentSchema = z.strictObject({
  id: uuidSchema,
  request_id: uuidSchema,
  binding_digest: digestSchema,
  subject_digest: digestSchema,
  person_id: uuidSchema,
  credential_id: uuidSchema,
  verdict: z.enum(['approve', 'reject', 'request_changes']),
  comment: z.string(),
  always,
  confirm_word: confirmWord,
  roles: z.array(z.strictObject({ role: z.string(), assigned_at: moment })),
  delegated_by: uuidSchema.exactOptional(),
  seat: z.strictObject({ shared_with: z.array(uuidSchema), known_by: z.array(facts) }),
  decision_id: uuidSchema,
  created_at: moment,
  mfa: z.strictObject({ method: z.string(), proved_at: moment }).exactOptional(),
});
export type ReviewDocument = z.infer<typeof reviewDocumentSchema>;

/** A policy decision; its input is kept apart. */
export const decisionDocumentSchema = z.strictObject({
  entrypoint: z.string(),
  bundle_revision: z.string(),
  wasm_digest: digestSchema,
  input_digest: digestSchema,
  masked_input_digest: digestSchema.exactOptional(),
  decided_at: moment,
  result: facts,
});
export type DecisionDocument = z.infer<typeof decisionDocumentSchema>;

/** An incident as it was opened. */
export const incidentDocumentSchema = z.strictObject({
  id: uuidSchema,
  task_id: uuidSchema,
  plan_id: uuidSchema,
  plan_digest: digestSchema,
  run_id: uuidSchema,
  environment_id: uuidSchema,
  decision_id: uuidSchema,
  invoked_by: uuidSchema,
  credential_id: uuidSchema,
  justification: z.string(),
  second_factor: z.strictObject({ method: z.string(), proved_at: timestampSchema }),
  notifies: z.array(z.string()),
  opened_at: timestampSchema,
  review_due_at: timestampSchema,
});
export type IncidentDocument = z.infer<typeof incidentDocumentSchema>;

/** One entry of the timeline of an incident. */
export const incidentEventDocumentSchema = z.strictObject({
  incident_id: uuidSchema,
  seq: z.int(),
  kind: z.string(),
  actor: actorSchema,
  text: z.string().nullable(),
  data: facts,
  at: timestampSchema,
});
export type IncidentEventDocument = z.infer<typeof incidentEventDocumentSchema>;

/** A comment on a request or a change. */
export const commentDocumentSchema = z.strictObject({
  id: uuidSchema,
  subject: z.strictObject({ type: z.enum(['approval_request', 'change_request']), id: uuidSchema }),
  author: z.strictObject({ kind: z.enum(['person', 'agent']), id: uuidSchema, on_behalf_of: uuidSchema.nullable() }),
  credential_id: uuidSchema,
  body: z.string(),
  via: z.enum(['api', 'slack']),
  created_at: moment,
});
export type CommentDocument = z.infer<typeof commentDocumentSchema>;

/** A change request. The use case that carries it out owns the payload. */
export const changeDocumentSchema = z.strictObject({
  id: uuidSchema,
  requested_by: uuidSchema,
  kind: z.string(),
  subject: z.strictObject({ type: z.string(), id: z.string() }),
  what: z.string(),
  payload: anyJson,
  base_digest: digestSchema,
  loosens: z.array(z.string()),
  reason: z.string(),
});
export type ChangeDocument = z.infer<typeof changeDocumentSchema>;

const signatureShape = {
  credential_id: z.string(),
  public_key: z.string(),
  relying_party_id: z.string(),
  origin: z.string(),
};

/** A passkey as its enrolment fixed it. */
export const passkeyDocumentSchema = z.strictObject({
  id: uuidSchema,
  person_id: uuidSchema,
  ...signatureShape,
  enrolled_at: moment,
});
export type PasskeyDocument = z.infer<typeof passkeyDocumentSchema>;

/** An operation that a second factor proves. Masked text may be longer than the API allows, so its length has no limit here. */
export const steppedUpOperationSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('review'),
    request_id: z.string(),
    verdict: z.enum(['approve', 'reject', 'request_changes']),
    subject_digest: z.string(),
    comment: z.string(),
    always,
    confirm_word: confirmWord,
  }),
  z.strictObject({
    kind: z.literal('break_glass'),
    plan_id: z.string(),
    plan_digest: z.string(),
    justification: z.string(),
  }),
  z.strictObject({ kind: z.literal('change_confirm'), change_id: z.string(), change_digest: z.string() }),
  z.strictObject({ kind: z.literal('vouch'), person_id: z.string(), fingerprint: z.string() }),
  z.strictObject({ kind: z.literal('issuer_confirm'), issuer_id: z.string(), settings_revision: z.int() }),
  z.strictObject({
    kind: z.literal('factor_change'),
    change: z.enum(['add_totp', 'add_passkey', 'renew_recovery_codes']),
  }),
  z.strictObject({ kind: z.literal('factor_removal'), factor_id: z.string() }),
]);

/** The document that a second factor proves: an operation of one person. */
export const provedOperationSchema = z.strictObject({ person_id: uuidSchema, operation: steppedUpOperationSchema });
export type ProvedOperation = z.infer<typeof provedOperationSchema>;

/** The signature of a passkey over one operation. */
export const assertionDocumentSchema = z.strictObject({
  id: uuidSchema,
  person_id: uuidSchema,
  operation: steppedUpOperationSchema,
  nonce: z.string(),
  signed_at: moment,
  ...signatureShape,
  authenticator_data: z.string(),
  client_data_json: z.string(),
  signature: z.string(),
});
export type AssertionDocument = z.infer<typeof assertionDocumentSchema>;
