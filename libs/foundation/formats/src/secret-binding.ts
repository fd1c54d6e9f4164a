import { z } from 'zod';
import { newEnvironmentNameSchema, toolNameSchema } from './names.js';

/** The destinations of a secret. An absent member is empty. */
export const secretBindingSchema = z
  .strictObject({
    purpose: z.enum(['tool_arguments', 'executor_token', 'sign_in', 'incidents']).meta({
      description:
        'tool_arguments: calls of the tools get it. executor_token: the executors are called with it, as a bearer token. sign_in: a client secret at issuers. incidents: a routing key.',
    }),
    executors: z
      .array(
        z
          .string()
          .max(127)
          .regex(
            /^[a-z0-9][a-z0-9_-]*\/[a-z0-9][a-z0-9_-]*$/,
            'must be environment/name, for example production/fleet',
          ),
      )
      .max(100)
      .optional()
      .meta({ description: 'As environment/name.' }),
    environments: z
      .array(newEnvironmentNameSchema)
      .max(100)
      .optional()
      .meta({ description: 'Every executor of these environments, by name.' }),
    tools: z.array(toolNameSchema).max(200).optional().meta({ description: 'By name; for tool_arguments alone.' }),
  })
  .meta({ id: 'SecretBinding' });
export type SecretBindingDocument = z.infer<typeof secretBindingSchema>;
