import { z } from 'zod';
import { autonomyChangeSchema } from './autonomy.js';
import { configurationChangeSchema } from './configuration-change.js';
import { problemSchema } from './problem.js';
import { toolChangePlanSchema } from './tool.js';

export const configurationChangesSchema = z
  .object({ changes: z.array(configurationChangeSchema) })
  .meta({ id: 'ConfigurationChanges' });
export type ConfigurationChanges = z.infer<typeof configurationChangesSchema>;

export const CONFIGURATION_PARTS = ['environments', 'tools', 'executors', 'autonomy'] as const;

/** In the order in which they are applied: each is checked against the result of the earlier ones. */
export type ConfigurationPart = (typeof CONFIGURATION_PARTS)[number];

const partSchema = z.string().max(1_048_576).optional();

/** The documents of a configuration, as the text of their files. */
export const configurationSchema = z
  .strictObject({
    environments: partSchema.meta({ description: 'YAML: EnvironmentsDocument.' }),
    tools: partSchema.meta({ description: 'YAML: ToolCatalog.' }),
    executors: partSchema.meta({ description: 'YAML: ExecutorsDocument.' }),
    autonomy: partSchema.meta({ description: 'YAML: the autonomy document.' }),
  })
  .meta({ id: 'Configuration' });
export type Configuration = z.infer<typeof configurationSchema>;

/** The effect that a configuration would have. Parts after a refused one are null, as are parts that it leaves out. */
export const configurationCheckSchema = z
  .object({
    environments: z.array(configurationChangeSchema).nullable(),
    tools: toolChangePlanSchema.nullable(),
    executors: z.array(configurationChangeSchema).nullable(),
    autonomy: autonomyChangeSchema.nullable(),
    loosens: z
      .array(z.object({ part: z.enum(CONFIGURATION_PARTS), what: z.string() }))
      .meta({ description: 'In words, the changes that would wait for a second person if there is one.' }),
    refused: z
      .object({ part: z.enum(CONFIGURATION_PARTS), problem: problemSchema })
      .nullable()
      .meta({ description: 'The part that would be refused, and why.' }),
  })
  .meta({ id: 'ConfigurationCheck' });
export type ConfigurationCheck = z.infer<typeof configurationCheckSchema>;
