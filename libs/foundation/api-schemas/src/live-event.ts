import { z } from 'zod';
import { uuidSchema } from '#lib/formats';

/** One change of something of the tenant, told as it happens: whoever shows it reads it again. */
export const liveEventSchema = z
  .object({
    type: z.string().meta({
      examples: [
        'approval_request',
        'plan',
        'run',
        'task',
        'halt',
        'change_request',
        'incident',
        'comment',
        'person',
        'agent',
      ],
    }),
    id: uuidSchema,
    event: z.string().meta({ description: 'What became of it: its state, mostly.' }),
  })
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof liveEventSchema>;
