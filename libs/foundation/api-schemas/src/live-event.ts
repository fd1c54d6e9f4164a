import { z } from 'zod';
import { uuidSchema } from '#lib/formats';

/** One change of a record of the tenant, sent as it happens. A client that shows the record reads it again. */
export const liveEventSchema = z
  .object({
    type: z.string().meta({
      examples: [
        'approval_request',
        'plan',
        'run',
        'task',
        'halt',
        'session',
        'change_request',
        'incident',
        'comment',
        'person',
        'agent',
        'automation',
        'automation_run',
        'webhook',
        'lifecycle_hook',
      ],
    }),
    id: uuidSchema,
    event: z.string().meta({ description: 'Its new state, mostly.' }),
  })
  .meta({ id: 'LiveEvent' });
export type LiveEvent = z.infer<typeof liveEventSchema>;
