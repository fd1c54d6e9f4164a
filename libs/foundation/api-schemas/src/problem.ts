import { z } from 'zod';
import { configurationChangeSchema } from './configuration-change.js';

/** One thing wrong inside a submitted document. */
export const fieldErrorSchema = z.object({
  pointer: z.string().meta({ description: 'RFC 6901, into the submitted document.' }),
  code: z.string(),
  message: z.string(),
  line: z.int().optional(),
  column: z.int().optional(),
  suggestion: z.string().optional(),
});

/** A reason for a policy's refusal. Clients skip members that a later server adds. */
export const reasonViewSchema = z.object({
  code: z.string(),
  message: z.string(),
  rule: z.string(),
  details: z
    .object({ until: z.iso.datetime().meta({ description: 'Of `freeze.active`: the end of the freeze, UTC.' }) })
    .optional(),
});

/** The facts of a refusal, for programs. Each code has its own; the ones that a client reads are named here. */
export const problemDetailsSchema = z
  .looseObject({
    route: z
      .string()
      .optional()
      .meta({ description: 'The route by which a program does the next action, or reads the facts for it.' }),
    what: z.string().optional().meta({ description: 'Of `change.reason_missing`: the change in one line.' }),
    loosens: z
      .array(z.string())
      .optional()
      .meta({ description: 'Of `change.reason_missing`: the guardrails that the change loosens, in words.' }),
    plans: z.array(z.string()).optional().meta({ description: 'Of `tool.in_use`: the live plans that use the tools.' }),
    tool_call_id: z
      .string()
      .optional()
      .meta({ description: 'Of `tool_call.already_pending`: the same call, which waits for a person.' }),
    done: z
      .array(configurationChangeSchema)
      .optional()
      .meta({ description: 'Of a refused document: the changes before the refused one, which were made.' }),
  })
  .meta({ id: 'ProblemDetails' });

/** Every refusal of the API: RFC 9457, with a stable `code`, a remedy, its facts, and a refusing policy's reasons. */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'urn:countersign:problem:<code>' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'Stable; programs decide by it.', examples: ['approval.already_decided'] }),
    action: z.string().optional().meta({ description: 'The next action, for people.' }),
    details: problemDetailsSchema.optional(),
    errors: z.array(fieldErrorSchema).optional(),
    reasons: z.array(reasonViewSchema).optional(),
    instance: z.string().meta({ description: 'The request id, as urn:countersign:request:<id>.' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
