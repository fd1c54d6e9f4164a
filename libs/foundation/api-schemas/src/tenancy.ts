import { z } from 'zod';
import { newEnvironmentNameSchema, secretBindingSchema, timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { pageOf } from './shared-schemas.js';

export const newEnvironmentSchema = z
  .strictObject({
    name: newEnvironmentNameSchema,
    production: z.boolean().meta({ description: 'Whether state changes here count as production.' }),
  })
  .meta({ id: 'NewEnvironment' });

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
        'Its destinations, given with its first version. Later they can be narrowed here; a wider binding is a change of its own. Without a binding the secret is sent nowhere.',
    }),
  })
  .meta({ id: 'SecretValue' });

export const secretSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    reference: z
      .string()
      .meta({ description: 'Its name and version in an argument of a tool: {"$secret": "name@version"}.' }),
    binding: secretBindingViewSchema.meta({ description: 'The destinations that it may be sent to; null: none.' }),
    key_id: z.string().meta({ description: 'The master key it is encrypted under.' }),
    created_at: timestampSchema,
    created_by: uuidSchema,
  })
  .meta({
    id: 'Secret',
    description: 'The readable facts of a secret; its value leaves only towards the tool it is for.',
  });

export const secretPageSchema = pageOf(secretSchema).meta({ id: 'SecretPage' });

export const secretRotationSchema = z.object({ reencrypted: z.int() }).meta({ id: 'SecretRotation' });
