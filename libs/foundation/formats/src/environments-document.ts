import { z } from 'zod';
import { newEnvironmentNameSchema } from './names.js';

export const environmentChangeSchema = z
  .strictObject({ production: z.boolean().meta({ description: 'Whether state changes there count as production.' }) })
  .meta({ id: 'EnvironmentChange', description: 'Voids approvals of the environment as it was.' });

/** Environments by name. An environment that it leaves out stays as it is. */
export const environmentsDocumentSchema = z
  .strictObject({
    environments: z.record(newEnvironmentNameSchema, environmentChangeSchema).meta({ description: 'By name.' }),
  })
  .meta({ id: 'EnvironmentsDocument' });
export type EnvironmentsDocument = z.infer<typeof environmentsDocumentSchema>;
