import { z } from 'zod';
import { appliedAloneShape, changeRequestSchema } from './change-request.js';

/** The changes that a document makes to an environment, or to an executor in one. */
export const configurationChangeSchema = z
  .object({
    change: z.enum(['create', 'update', 'unchanged']),
    name: z.string().meta({ description: 'The environment; or environment/executor.' }),
    what: z.string().meta({ description: 'In words, as it is after the change.' }),
    waits: changeRequestSchema.optional().meta({ description: 'The change, if it waits for a second person.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'ConfigurationChange' });
export type ConfigurationChange = z.infer<typeof configurationChangeSchema>;
