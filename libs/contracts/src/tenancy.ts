import { z } from 'zod';
import { pageOf, timestampSchema, uuidSchema } from './common.js';
import { appliedAloneShape } from './guardrail.js';

const environmentNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 of a-z, 0-9, "_" and "-", and begin and end with a letter or digit',
  );

export const newEnvironmentSchema = z
  .strictObject({
    name: environmentNameSchema,
    production: z.boolean().meta({ description: 'Whether state changes here count as production.' }),
  })
  .meta({ id: 'NewEnvironment' });

export const environmentChangeSchema = z
  .strictObject({ production: z.boolean() })
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

export const secretValueSchema = z
  .strictObject({ value: z.string().min(1).max(65_536).meta({ writeOnly: true, description: 'Never shown again.' }) })
  .meta({ id: 'SecretValue' });

export const secretSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    reference: z.string().meta({ description: 'What a tool’s argument names it by: {"$secret": "name@version"}.' }),
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
