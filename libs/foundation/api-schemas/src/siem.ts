import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';

export const siemCollectorSettingsSchema = z
  .strictObject({
    url: z.url().max(2_000).meta({ description: 'An https address, without credentials, query and fragment.' }),
    ca: z.string().max(20_000).nullable().default(null).meta({
      description: 'Certificates in PEM that alone vouch for the collector; null for the public authorities.',
    }),
  })
  .meta({ id: 'SiemCollectorSettings' });
export type SiemCollectorSettingsBody = z.infer<typeof siemCollectorSettingsSchema>;

export const siemCollectorTokenSchema = z
  .strictObject({
    token: z
      .string()
      .regex(/^[!-~]{1,4096}$/, 'must be printable ASCII without spaces')
      .nullable()
      .meta({ description: 'Sent as bearer token, and never shown again; null removes it.' }),
  })
  .meta({ id: 'SiemCollectorToken' });
export type SiemCollectorTokenBody = z.infer<typeof siemCollectorTokenSchema>;

export const siemCollectorSchema = z
  .object({
    id: uuidSchema,
    url: z.string(),
    ca: z.string().nullable(),
    has_token: z.boolean(),
    sent_at: timestampSchema.nullable().meta({ description: 'When it last took events; null for never.' }),
    error: z.string().nullable().meta({ description: 'Why it has taken none since then; null if it did.' }),
    error_at: timestampSchema.nullable(),
    created_by: uuidSchema,
    created_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'SiemCollector' });
export type SiemCollectorView = z.infer<typeof siemCollectorSchema>;

const progressShape = {
  entries_behind: z.int().meta({ description: 'Entries of the log that it has still to take.' }),
  behind_since: timestampSchema.nullable().meta({ description: 'Since when there are such entries.' }),
  failures: z.int().meta({ description: 'Failures since its last success.' }),
  retry_at: timestampSchema.nullable().meta({ description: 'When it is tried again after a failure.' }),
};

export const siemCollectorDetailSchema = siemCollectorSchema.extend(progressShape).meta({ id: 'SiemCollectorDetail' });
export type SiemCollectorDetailView = z.infer<typeof siemCollectorDetailSchema>;

export const siemFileSchema = z
  .object({
    exported: z.boolean().meta({ description: 'Whether the operator exports the log to a file.' }),
    ...progressShape,
  })
  .meta({ id: 'SiemFile' });
export type SiemFileView = z.infer<typeof siemFileSchema>;
