import { z } from 'zod';

export const RUN_STATES = [
  'queued',
  'executing',
  'paused',
  'rolling_back',
  'completed',
  'failed',
  'cancelled',
  'rolled_back',
  'rollback_failed',
] as const;
export type RunState = (typeof RUN_STATES)[number];

export const ATTEMPT_STATES = [
  'pending',
  'dispatched',
  'succeeded',
  'failed',
  'unknown',
  'compensating',
  'compensated',
  'compensation_failed',
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const resolveUnknownSchema = z
  .strictObject({
    effect: z.enum(['happened', 'did_not', 'retry']),
    note: z.string().trim().min(1).max(2_000),
  })
  .meta({ id: 'ResolveUnknown', description: 'What a person found out about a step whose effect could not be known.' });

export const HALT_KINDS = ['tenant', 'environment', 'agent', 'tool'] as const;
export type HaltKind = (typeof HALT_KINDS)[number];

/** Claims of a grant: an EdDSA JWS of 60 seconds that an executor verifies before it acts. */
export const grantClaimsSchema = z
  .strictObject({
    iss: z.string(),
    aud: z.string(),
    iat: z.number().int(),
    exp: z.number().int(),
    jti: z.string(),
    tenant: z.string(),
    environment: z.string(),
    basis: z.enum(['approval', 'policy', 'simulation', 'rollback', 'health_check']),
    run: z.string().nullable(),
    simulation: z.string().nullable(),
    step: z.string(),
    attempt: z.number().int().min(1),
    tool: z.string(),
    tool_version: z.number().int(),
    arguments_digest: z.string(),
    plan_digest: z.string().nullable(),
  })
  .meta({ id: 'GrantClaims' });
export type GrantClaims = z.infer<typeof grantClaimsSchema>;

/** What Countersign POSTs to an `http` executor; the grant travels in the `Countersign-Grant` header. */
export const toolCallRequestSchema = z
  .strictObject({
    tool: z.string(),
    tool_version: z.number().int(),
    /** As approved, `{"$secret":"name@version"}` values among them: what the grant's arguments digest covers. */
    arguments: z.record(z.string(), z.json()),
    /** The values of those secrets, by `name@version`. */
    secrets: z.record(z.string(), z.string()),
    idempotency_key: z.string(),
  })
  .meta({ id: 'ToolCallRequest' });
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>;

/** What an `http` executor answers: 200 with `ok`, whether the tool worked or not. */
export const toolCallResponseSchema = z
  .discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), result: z.json() }),
    z.strictObject({
      ok: z.literal(false),
      /** `not_started` promises that nothing was changed; anything else may have changed something. */
      effect: z.enum(['not_started', 'done', 'unknown']),
      error: z.strictObject({ code: z.string().max(128), message: z.string().max(2_000) }),
    }),
  ])
  .meta({ id: 'ToolCallResponse' });
export type ToolCallResponse = z.infer<typeof toolCallResponseSchema>;

/** The request header that carries the grant. */
export const GRANT_HEADER = 'countersign-grant';

/** The `typ` of a grant's protected header. */
export const GRANT_TYPE = 'countersign-grant+jwt';
