import { z } from 'zod';
import { environmentNameSchema, executorNameSchema, secretReferenceSchema } from './names.js';

/** The value of a setting that only some kinds of executors have. */
const executorSettingSchema = z.union([z.string().max(2_000), z.number(), z.boolean()]);

/** Settings by name. A kind of the registry says which of them its executors have. */
export const executorSettingsSchema = z.record(z.string().max(64), executorSettingSchema);
export type OwnExecutorSettings = Readonly<z.infer<typeof executorSettingsSchema>>;

/** An executor as it is put. The registry of kinds checks `kind`, and each kind its own settings. */
export const executorDocumentSchema = z
  .strictObject({
    kind: z.string().max(32).meta({ description: 'A kind that GET /v1/executor-kinds lists, with its settings.' }),
    url: z.string().max(2_000).optional().meta({ description: 'The address that its calls go to, over https.' }),
    audience: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'The aud of grants; <name>.<environment> if left out, such as fleet.production.' }),
    shared_audience: z.boolean().optional().meta({
      description:
        'Lets executors of other environments have the same audience; each of them has to say so. A tool server of such an audience must check the environment of every grant.',
    }),
    secret: secretReferenceSchema.nullable().optional().meta({ description: 'The bearer token it is called with.' }),
  })
  .catchall(executorSettingSchema.nullable())
  .meta({
    id: 'ExecutorDocument',
    description: 'Any further member is a setting of its kind; null counts as left out.',
  });
export type ExecutorDocument = z.infer<typeof executorDocumentSchema>;

/** Executors by environment and name. An executor that it leaves out stays as it is. */
export const executorsDocumentSchema = z
  .strictObject({
    executors: z
      .record(environmentNameSchema, z.record(executorNameSchema, executorDocumentSchema))
      .meta({ description: 'By environment, and by name in each.' }),
  })
  .meta({ id: 'ExecutorsDocument' });
export type ExecutorsDocument = z.infer<typeof executorsDocumentSchema>;
