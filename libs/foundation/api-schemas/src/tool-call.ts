import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { effectiveSchema, obligationsSchema, outcomeSchema, reasonSchema } from '#lib/policy-inputs';
import { fieldErrorSchema } from './problem.js';
import { shellVerdictSchema } from './shell-verdict.js';

/** One tool call that somebody wants to make now, without a plan. */
export const authorizeToolCallSchema = z
  .strictObject({
    tool: z.string().min(1).max(200).meta({ description: 'The name of a tool of the registry.' }),
    environment: z.string().min(1).max(200).meta({ description: 'The name of the environment it is aimed at.' }),
    arguments: z.record(z.string(), z.json()).meta({ description: "As the tool's parameters describe them." }),
  })
  .meta({ id: 'AuthorizeToolCall' });
export type AuthorizeToolCallBody = z.infer<typeof authorizeToolCallSchema>;

/**
 * The answer, a deny included. `require_approval` and `deny` both mean: not like this. It holds for the moment
 * `decided_at` and for exactly these arguments.
 */
export const toolCallAuthorizationSchema = z
  .object({
    id: uuidSchema,
    outcome: outcomeSchema,
    reasons: z.array(reasonSchema),
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
    /** The errors in the arguments; pointers are relative to the body. */
    errors: z.array(fieldErrorSchema),
    decided_at: timestampSchema,
  })
  .meta({ id: 'ToolCallAuthorization' });
export type ToolCallAuthorizationView = z.infer<typeof toolCallAuthorizationSchema>;
