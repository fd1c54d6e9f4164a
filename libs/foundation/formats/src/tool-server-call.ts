import { z } from 'zod';

/** The body that Countersign POSTs to an `http` executor; the grant travels in the `Countersign-Grant` header. */
export const toolCallRequestSchema = z
  .strictObject({
    tool: z.string(),
    tool_version: z.number().int(),
    /** As approved, `{"$secret":"name@version"}` values among them: the grant's arguments digest covers these. */
    arguments: z.record(z.string(), z.json()),
    /** The values of those secrets, by `name@version`. */
    secrets: z.record(z.string(), z.string()),
    idempotency_key: z.string(),
  })
  .meta({ id: 'ToolCallRequest' });
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>;

/** The answer of an `http` executor: 200 with `ok`, whether the tool worked or not. */
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

/** The members read of a client error of an `http` executor, as its reason. It is a problem (RFC 9457) or a similar body. */
export const toolCallRefusalSchema = z.object({
  code: z.string().max(200).optional(),
  detail: z.string().max(1_000).optional(),
  message: z.string().max(1_000).optional(),
});
