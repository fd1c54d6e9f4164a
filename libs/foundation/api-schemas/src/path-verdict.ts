import { z } from 'zod';
import { pathFactsSchema } from '#lib/policy-inputs';

/** The verdict on the paths that a call names (T52), with its reasons. */
export const pathVerdictSchema = z
  .object({
    ...pathFactsSchema.shape,
    reasons: z
      .array(z.object({ code: z.string(), message: z.string() }))
      .meta({ description: 'The reasons why the paths are graver than the tool says; empty if they are ordinary.' }),
  })
  .meta({ id: 'PathVerdict' });
export type PathVerdictView = z.infer<typeof pathVerdictSchema>;
