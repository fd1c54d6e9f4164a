import { z } from 'zod';
import { timestampSchema } from '#lib/formats';
import { connectionShape, serverSettingsShape } from './connection.js';

export const siemCollectorSettingsSchema = z
  .strictObject(serverSettingsShape('the collector'))
  .meta({ id: 'SiemCollectorSettings' });

export const siemCollectorSchema = z
  .object({
    ...connectionShape,
    sent_at: timestampSchema.nullable().meta({ description: 'When it last took events; null for never.' }),
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
