import { z } from 'zod';

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

/** Every refusal of the API: RFC 9457, with a stable `code`, a remedy, and a refusing policy's reasons. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'urn:countersign:problem:<code>' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'Stable; programs decide by it.', examples: ['approval.already_decided'] }),
    action: z.string().optional().meta({ description: 'The next action, for people.' }),
    route: z
      .string()
      .optional()
      .meta({ description: 'The route by which a program does it, or reads the facts for it.' }),
    errors: z.array(fieldErrorSchema).optional(),
    reasons: z.array(reasonViewSchema).optional(),
    instance: z.string().meta({ description: 'The request id, as urn:countersign:request:<id>.' }),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
