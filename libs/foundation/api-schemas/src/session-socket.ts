import { z } from 'zod';
import { SESSION_ENDS, TOOL_CALL_DECISIONS, TOOL_LEVELS, timestampSchema, uuidSchema } from '#lib/formats';
import { shellFactsSchema } from '#lib/policy-inputs';
import { changeSessionSchema, sessionSchema } from './session.js';

/** Messages over the socket of a session, `/v1/sessions/:id/ws`. Names of types and members are those of the session protocol. */

/** The versions of the messages that this server speaks. */
export const SESSION_SOCKET_VERSIONS = [1] as const;

const message = <Type extends string>(type: Type) => ({
  v: z.literal(SESSION_SOCKET_VERSIONS),
  type: z.literal(type),
  sessionId: uuidSchema,
});

const { call_budget: _, ...settings } = changeSessionSchema.shape;

/** Level, which the session protocol has, and the other settings of a session. */
const setAutonomySchema = z
  .strictObject({ ...message('set_autonomy'), ...settings })
  .refine((change) => [change.preset, change.level, change.mode].some((setting) => setting !== undefined), {
    error: 'must name level, preset or mode',
  });

/** Ends the session; everything that waits in it is denied. */
const cancelSchema = z.strictObject(message('cancel'));

/** The answer of a person to a call that waits, from a browser. */
const answerSchema = <Type extends 'approve' | 'reject' | 'always'>(type: Type) =>
  z.strictObject({
    ...message(type),
    toolCallId: uuidSchema,
    comment: z.string().max(4_000).optional(),
    /** The session protocol spells the answer "always" in this member, too. */
    decision: z.enum(type === 'reject' ? ['reject'] : [type, 'always']).optional(),
    confirmWord: z.string().max(40).optional().meta({ description: 'As of a review, if a word is asked for.' }),
    stepUpId: uuidSchema.optional().meta({ description: 'As of a review, if a second factor is asked for.' }),
  });

/** Everything that a client may send. */
export const sessionCommandSchema = z.union([
  answerSchema('approve'),
  answerSchema('reject'),
  answerSchema('always'),
  setAutonomySchema,
  cancelSchema,
]);
export type SessionCommand = z.infer<typeof sessionCommandSchema>;

/** Present on the last message of each entry: where a client goes on that was cut off. */
const cursor = z.string().optional();

const auditEntrySchema = z.object({
  ...message('audit_entry'),
  /** The audit entry. One that comes again after a client went on has the same id. */
  id: uuidSchema,
  toolCallId: z.string(),
  agentId: z.string().nullable(),
  toolName: z.string().nullable(),
  risk: z.enum(TOOL_LEVELS).nullable(),
  decision: z.enum(TOOL_CALL_DECISIONS).nullable(),
  timestamp: timestampSchema,
  summary: z.string(),
  tier: shellFactsSchema.shape.tier.nullable(),
  class: shellFactsSchema.shape.class.nullable(),
  cursor,
});

const toolApproveRequestSchema = z.object({
  ...message('tool_approve_request'),
  id: uuidSchema,
  toolCallId: z.string(),
  requestId: z.string(),
  agentId: z.string().nullable(),
  toolName: z.string(),
  arguments: z.record(z.string(), z.json()),
  risk: z.enum(TOOL_LEVELS).nullable(),
  /** The kind of work, such as workspace-write. */
  category: z.string(),
  /** The effect in one line, from the call alone. */
  impact: z.string(),
  /** The agent's own words; they decide nothing. */
  reason: z.string().nullable(),
  timestamp: timestampSchema,
  /** The word that an approval repeats as `confirmWord`; null for none. */
  confirmWord: z.string().nullable(),
  /** The shape of the later calls that "always" would cover; null if only this call can be approved. */
  alwaysCovers: z.record(z.string(), z.json()).nullable(),
  /** Without an answer until then it is denied. */
  expiresAt: timestampSchema,
  summary: z.string(),
  tier: shellFactsSchema.shape.tier.nullable(),
  class: shellFactsSchema.shape.class.nullable(),
  cursor,
});

/** Output that arrives while a client is connected: `GET /v1/tool-calls/{id}/output` has all of it. */
const outputSchema = z.object({
  ...message('output'),
  toolCallId: z.string(),
  /** Counts the chunks of the call. One that comes again has the same number. */
  seq: z.int(),
  stream: z.enum(['stdout', 'stderr']),
  text: z.string(),
});

const { preset, level, mode } = sessionSchema.shape;
const autonomyChangedSchema = z.object({
  ...message('autonomy_changed'),
  id: uuidSchema,
  level,
  preset,
  mode,
  timestamp: timestampSchema,
  cursor,
});

const sessionEndedSchema = z.object({
  ...message('session_ended'),
  id: uuidSchema,
  reason: z.enum(SESSION_ENDS).nullable(),
  timestamp: timestampSchema,
  cursor,
});

/** The words of errors: for programs that know the session protocol. Others decide by `code`, which says more. */
const SESSION_ERRORS = ['PROTOCOL_MISMATCH', 'INVALID_MESSAGE', 'REFUSED', 'UNAVAILABLE', 'APPROVAL_TIMEOUT'] as const;

const errorSchema = z.object({
  ...message('error'),
  error: z.enum(SESSION_ERRORS),
  code: z.string().meta({ description: 'Stable, as in problem documents.' }),
  message: z.string(),
  action: z.string(),
  toolCallId: z.string().optional(),
  /** With PROTOCOL_MISMATCH: the versions that this server speaks. */
  supported: z.array(z.int()).optional(),
});

/** Everything that the server sends. */
export const sessionMessageSchema = z.discriminatedUnion('type', [
  toolApproveRequestSchema,
  auditEntrySchema,
  outputSchema,
  autonomyChangedSchema,
  sessionEndedSchema,
  errorSchema,
]);
export type SessionMessage = z.infer<typeof sessionMessageSchema>;

/** Nothing but where the client goes on: no credential stands in an address. */
export const sessionSocketQuerySchema = z.strictObject({
  cursor: z.string().min(1).max(500).optional().meta({ description: 'The last cursor that you were sent.' }),
});

/** The codes that the server closes a socket with (RFC 6455 section 7.4). */
export const SESSION_CLOSES = {
  /** The session has ended. */
  ended: 1000,
  /** The server stops; connect again. */
  goingAway: 1001,
  /** More messages at once than the server keeps. */
  tooManyMessages: 1008,
  /** The client read too slowly; connect again with the last cursor. */
  tooSlow: 1013,
  /** The credential is no longer good. */
  signedOut: 4401,
} as const;
