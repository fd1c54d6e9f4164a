import { z } from 'zod';

/** A tool's name: `execute_rollout_prod`, or `mcp:<server>:<tool>`. */
export const toolNameSchema = z
  .string()
  .max(128)
  .regex(/^[a-zA-Z][a-zA-Z0-9_.:-]*$/, 'must start with a letter and hold only letters, digits and _ . : -')
  .meta({ examples: ['execute_rollout_prod'] });

/** An executor's name, the same in every environment that has one. */
export const executorNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 lower-case letters, digits, _ and -, and begin and end with a letter or digit',
  );

/** An environment's name, as documents and routes write it. */
export const environmentNameSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/, 'must be the name of an environment');

/** The name that a new environment may have. */
export const newEnvironmentNameSchema = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/,
    'must be 1 to 63 of a-z, 0-9, "_" and "-", and begin and end with a letter or digit',
  );

/** `name@version` of a tenant's secret; the value itself never stands in a document. */
export const secretReferenceSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}@[1-9][0-9]{0,8}$/,
    'must be name@version of a secret, for example fleet-token@1',
  );
