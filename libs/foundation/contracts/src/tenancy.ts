import { z } from 'zod';
import { pageOf, timestampSchema, uuidSchema } from './common.js';
import { appliedAloneShape } from './change-request.js';
import { toolNameSchema } from './tool.js';

/** The name that a new environment may have. */
export const newEnvironmentNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 of a-z, 0-9, "_" and "-", and begin and end with a letter or digit',
  );

export const newEnvironmentSchema = z
  .strictObject({
    name: newEnvironmentNameSchema,
    production: z.boolean().meta({ description: 'Whether state changes here count as production.' }),
  })
  .meta({ id: 'NewEnvironment' });

export const environmentChangeSchema = z
  .strictObject({ production: z.boolean().meta({ description: 'Whether state changes there count as production.' }) })
  .meta({ id: 'EnvironmentChange', description: 'Voids what was approved for the environment as it was.' });

export const environmentSchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    production: z.boolean(),
    version: z.int(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'Environment' });
export const environmentPageSchema = pageOf(environmentSchema).meta({ id: 'EnvironmentPage' });

export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'must be 1 to 128 letters, digits, "_", "." and "-"');

/** What a secret may be sent to. What is left out is empty. */
const secretBindingSchema = z
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

export const bindSecretSchema = z
  .strictObject({ binding: secretBindingSchema.nullable().meta({ description: 'null: it is sent nowhere.' }) })
  .meta({ id: 'BindSecret' });

const secretBindingViewSchema = secretBindingSchema.required().nullable();

export const boundSecretSchema = z
  .object({ name: z.string(), binding: secretBindingViewSchema, ...appliedAloneShape })
  .meta({ id: 'BoundSecret' });

export const secretValueSchema = z
  .strictObject({
    value: z.string().min(1).max(65_536).meta({ writeOnly: true, description: 'Never shown again.' }),
    binding: secretBindingSchema.optional().meta({
      description:
        'What it is for, said with its first version. Later it can be narrowed here; what widens it is a change of its own. Without one it is sent nowhere.',
    }),
  })
  .meta({ id: 'SecretValue' });

export const secretSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    reference: z.string().meta({ description: 'What a tool’s argument names it by: {"$secret": "name@version"}.' }),
    binding: secretBindingViewSchema.meta({ description: 'What it may be sent to; null: nowhere.' }),
    key_id: z.string().meta({ description: 'The master key it is encrypted under.' }),
    created_at: timestampSchema,
    created_by: uuidSchema,
  })
  .meta({
    id: 'Secret',
    description: 'What may be known of a secret; its value leaves only towards the tool it is for.',
  });
export const secretPageSchema = pageOf(secretSchema).meta({ id: 'SecretPage' });

export const secretRotationSchema = z.object({ reencrypted: z.int() }).meta({ id: 'SecretRotation' });
