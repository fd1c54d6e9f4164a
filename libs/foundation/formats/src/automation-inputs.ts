import { z } from 'zod';
import { lineSchema, slugSchema } from './primitives.js';

const description = lineSchema(500).optional().meta({ description: 'Its purpose, for people.' });

const stringInputSchema = z
  .strictObject({
    type: z.literal('string').meta({ description: 'One line of text.' }),
    description,
    max_length: z.int().min(1).max(1_000).default(200).meta({ description: 'In UTF-16 code units.' }),
    default: lineSchema(1_000).optional().meta({ description: 'Its value if a trigger gives none.' }),
    example: lineSchema(1_000).optional().meta({
      description: 'A value to check steps with before they are saved. Needed without a default.',
    }),
  })
  .meta({ id: 'StringInput' });

const numberInputSchema = z
  .strictObject({
    type: z.literal('number'),
    description,
    minimum: z.number(),
    maximum: z.number(),
    default: z.number().optional().meta({ description: 'Its value if a trigger gives none.' }),
  })
  .meta({ id: 'NumberInput', description: 'Steps are checked with its default, or else with its minimum.' });

const booleanInputSchema = z
  .strictObject({
    type: z.literal('boolean'),
    description,
    default: z.boolean().optional().meta({ description: 'Its value if a trigger gives none.' }),
  })
  .meta({ id: 'BooleanInput' });

const enumInputSchema = z
  .strictObject({
    type: z.literal('enum').meta({ description: 'One of the values.' }),
    description,
    values: z.array(lineSchema(200)).min(1).max(100),
    default: lineSchema(200).optional().meta({ description: 'Its value if a trigger gives none.' }),
  })
  .meta({ id: 'EnumInput', description: 'Steps are checked with its default, or else with its first value.' });

const automationInputDeclarationSchema = z
  .discriminatedUnion('type', [stringInputSchema, numberInputSchema, booleanInputSchema, enumInputSchema])
  .meta({ id: 'AutomationInput' });
export type AutomationInputDeclaration = z.infer<typeof automationInputDeclarationSchema>;

/** The inputs of an automation, by name. */
export const automationInputsSchema = z
  .record(slugSchema, automationInputDeclarationSchema)
  .refine((inputs) => Object.keys(inputs).length <= 20, { error: 'must be at most 20' })
  .default({})
  .meta({
    description:
      'Values that a trigger gives. `{{inputs.NAME}}` stands for a whole value in the arguments of a step, and nowhere else.',
  });
