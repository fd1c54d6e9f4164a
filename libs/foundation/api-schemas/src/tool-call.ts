import { z } from 'zod';
import {
  timestampSchema,
  TOOL_CALL_DECISIONS,
  TOOL_CALL_STATES,
  uuidSchema,
  effectiveSchema,
  obligationsSchema,
  reasonSchema,
} from '#lib/formats';
import { pathVerdictSchema } from './path-verdict.js';
import { fieldErrorSchema } from './problem.js';
import { shellVerdictSchema } from './shell-verdict.js';

const nameSchema = z.string().min(1).max(200);

/** One tool call that somebody wants to make now, without a plan. */
export const submitToolCallSchema = z
  .strictObject({
    tool: z.string().min(1).max(200).meta({ description: 'The name of a tool of the registry.' }),
    environment: z.string().min(1).max(200).meta({ description: 'The name of the environment it is aimed at.' }),
    arguments: z.record(z.string(), z.json()).meta({ description: "As the tool's parameters describe them." }),
    client_call_id: nameSchema.optional().meta({
      description: 'Your own name of the call. The same name with the same call gets the same answer.',
    }),
    turn_id: nameSchema.optional().meta({ description: 'The turn of the agent that the call belongs to.' }),
    reason: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .meta({ description: 'Your reason for the call, in your own words.' }),
  })
  .meta({ id: 'SubmitToolCall' });
export type SubmitToolCallBody = z.infer<typeof submitToolCallSchema>;

/** The same in a session, which has an environment of its own. */
export const submitSessionToolCallSchema = submitToolCallSchema
  .omit({ environment: true })
  .meta({ id: 'SubmitSessionToolCall' });
export type SubmitSessionToolCallBody = z.infer<typeof submitSessionToolCallSchema>;

/** The longest time that an answer is held, in seconds. */
export const MAX_WAIT_SECONDS = 60;

export const waitQuerySchema = z.strictObject({
  wait_seconds: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(0)
    .meta({ description: 'Holds the answer for so long while the call is pending, or Countersign executes it.' }),
});
export type WaitQuery = z.infer<typeof waitQuerySchema>;

const executionSchema = z
  .object({
    attempt: z.int().min(1),
    dispatched_at: timestampSchema,
    lease_until: timestampSchema.nullable().meta({ description: 'Until when its answer is awaited; null after it.' }),
    finished_at: timestampSchema.nullable(),
    unverified: z.boolean().meta({ description: 'True if the agent makes it and reports, unchecked.' }),
    result: z.json(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'ToolCallExecution' });

const chunk = { stream: z.enum(['stdout', 'stderr']), text: z.string() };

export const callOutputQuerySchema = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .meta({ description: 'The number of the last chunk that you have.' }),
});

/** Output of a call that its agent makes, while it makes it. */
export const appendCallOutputSchema = z
  .strictObject({
    first_seq: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ description: 'The number of the first chunk, from 1. Chunks that were kept before are ignored.' }),
    chunks: z.array(z.strictObject({ ...chunk, text: z.string().min(1).max(16_384) })).max(64),
  })
  .meta({ id: 'AppendCallOutput' });

export const keptOutputSchema = z
  .object({
    seq: z.int().meta({ description: 'The number of the last chunk that is kept.' }),
    cut: z.boolean().meta({ description: 'Whether output is left out from now on: a mebibyte of a call is kept.' }),
  })
  .meta({ id: 'KeptOutput' });

export const callOutputSchema = z
  .object({
    chunks: z.array(z.object({ seq: z.int(), ...chunk })),
    cut: z.boolean().meta({ description: 'Whether output was left out.' }),
    open: z.boolean().meta({ description: 'Whether more may come.' }),
  })
  .meta({ id: 'CallOutput' });

/** A person's finding about an unknown call. */
export const resolveToolCallSchema = z
  .strictObject({ outcome: z.enum(['succeeded', 'failed']), note: z.string().trim().min(1).max(2_000) })
  .meta({ id: 'ResolveToolCall' });
export type ResolveToolCallBody = z.infer<typeof resolveToolCallSchema>;

/**
 * The answer, a deny included. It holds for exactly these arguments. A call that people are asked about is `pending`: read it again
 * until it is decided, or let the answer wait.
 */
export const toolCallSchema = z
  .object({
    id: uuidSchema,
    session_id: uuidSchema.nullable(),
    outcome: z.enum(TOOL_CALL_STATES).meta({ description: 'Its state now. Only an `allowed` call may be taken up.' }),
    decided_as: z
      .enum(TOOL_CALL_DECISIONS)
      .nullable()
      .meta({ description: 'The decision word, as audit entries hold it; null while it is pending.' }),
    /** Until when an allowed call may be taken up; null for one that is pending or denied. */
    allowed_until: timestampSchema.nullable(),
    request_id: uuidSchema.nullable().meta({ description: 'The approval request, if people are or were asked.' }),
    expires_at: timestampSchema.nullable().meta({ description: 'Until when people can answer about a pending call.' }),
    denial: z.object({ code: z.string(), message: z.string() }).nullable().meta({
      description: 'The reason for its denial, if not by policies. Without an answer: `tool_call.approval_timeout`.',
    }),
    reasons: z.array(reasonSchema).meta({ description: 'Of the policy decision.' }),
    obligations: obligationsSchema,
    effective: effectiveSchema,
    /** The recorded decision; null if there were no facts to put to the policies. */
    decision_id: uuidSchema.nullable(),
    bundle_revision: z.string(),
    /** The version that was decided on; null if there is no such tool. */
    tool_version: z.int().min(1).nullable(),
    /** Null if the arguments were refused. */
    arguments_digest: z.string().nullable(),
    /** The verdict on the command line that the call would execute; null for a tool that takes none. */
    shell: shellVerdictSchema.nullable(),
    /** The verdict on the paths that the call names; null for a tool that names none. */
    paths: pathVerdictSchema.nullable(),
    /** The errors in the arguments; pointers are relative to the body. */
    errors: z.array(fieldErrorSchema),
    /** Null while it is pending. */
    decided_at: timestampSchema.nullable(),
    answered_by: z.enum(['executor', 'agent']).nullable().meta({
      description:
        '`executor`: Countersign sends the call. `agent`: you make it under `grant`, and report. Null without an executor.',
    }),
    execution: executionSchema.nullable().meta({ description: 'Null before the call left.' }),
    no_grant: z
      .object({ code: z.string(), message: z.string() })
      .optional()
      .meta({ description: 'The reason why an allowed call has no grant: `tool_call.no_executor`.' }),
    grant: z.string().optional().meta({
      description: 'For the agent that makes the call. Its jti is the id of the call. Asked again, it is the same.',
    }),
    grant_expires_at: timestampSchema.optional(),
  })
  .meta({ id: 'ToolCall' });
export type ToolCallView = z.infer<typeof toolCallSchema>;
