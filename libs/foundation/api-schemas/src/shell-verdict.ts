import { z } from 'zod';
import { SHELLS } from '#lib/formats';
import { shellFactsSchema } from '#lib/policy-inputs';

/** Half-open UTF-16 offsets into the command line. */
const span = { start: z.int().min(0), end: z.int().min(0) };

/** The verdict on a command line (ADR-007), and the part of the line that each reason is about. */
export const shellVerdictSchema = z
  .object({
    shell: z.enum(SHELLS).meta({ description: 'The shell that the verdict holds for.' }),
    ...shellFactsSchema.shape,
    allow_listed: z
      .enum(['allowed', 'after_approval', 'blocked'])
      .meta({ description: 'The verdict of the curated allow-list of a terminal.' }),
    network: z.boolean().meta({ description: 'True if a command of the line may need a network.' }),
    parts: z.array(
      z.object({
        ...span,
        program: z.string().nullable().meta({ description: 'Null for a part that is no command with a literal name.' }),
        ...shellFactsSchema.shape,
        reasons: z.array(z.object({ code: z.string(), message: z.string(), ...span })),
      }),
    ),
  })
  .meta({ id: 'ShellVerdict' });
export type ShellVerdictView = z.infer<typeof shellVerdictSchema>;
