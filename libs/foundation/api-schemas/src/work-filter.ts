import { z } from 'zod';
import { lineSchema, slugSchema, toolNameSchema, uuidSchema } from '#lib/formats';

const moment = z.iso.datetime();

/** The filters of every list of work: tasks, plans, approval requests, runs and incidents alike. */
export const workFilterShape = {
  search: lineSchema(200).optional().meta({
    description:
      'Words of the goal or the headline, names of tools and targets, each as it begins; or an id, from 8 characters on, or its last eight. All of them count.',
  }),
  environment: slugSchema.optional().meta({ description: 'By name.' }),
  agent_id: uuidSchema.optional().meta({ description: 'The agent that submitted it.' }),
  tool: toolNameSchema.optional().meta({ description: 'Its plan calls this tool, in any version.' }),
  target: z.string().min(1).max(512).optional().meta({ description: 'Its plan changes this target.' }),
  person_id: uuidSchema
    .optional()
    .meta({ description: 'Somebody who asked for it, in person or through an agent, or reviewed it.' }),
  from: moment.optional().meta({ description: 'Inclusive.' }),
  until: moment.optional().meta({ description: 'Exclusive.' }),
};

export type WorkFilterQuery = z.infer<z.ZodObject<typeof workFilterShape>>;
