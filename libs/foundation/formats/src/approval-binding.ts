import { z } from 'zod';
import { digestSchema } from './primitives.js';

/** The records that an approval of a plan binds beside those of every kind of subject. */
const planBindingSchema = z.strictObject({
  plan: digestSchema,
  task: digestSchema,
  simulation: digestSchema.nullable(),
});

/** The same of a single call: all of it, with its arguments. */
const callBindingSchema = z.strictObject({ tool_call: digestSchema });

/**
 * Digests of everything an approver saw. An approval holds for exactly these; the executing process checks them again.
 */
export const approvalBindingSchema = z
  .strictObject({
    /** Has one shape for each kind of subject. The member that holds the subject's own digest names the kind. */
    subject: z.union([planBindingSchema, callBindingSchema]),
    environment: digestSchema,
    /** By `name@version`. */
    tools: z.record(z.string(), digestSchema),
    /** By executor name. */
    executors: z.record(z.string(), digestSchema),
  })
  .meta({ id: 'ApprovalBinding' });
export type ApprovalBinding = z.infer<typeof approvalBindingSchema>;
