import { z } from 'zod';
import { timestampSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';

/** The settings that every server of a tenant has. @param server the server, as a description names it: `the collector`. */
export const serverSettingsShape = (server: string) => ({
  url: z.url().max(2_000).meta({ description: 'An https address, without credentials, query and fragment.' }),
  ca: z
    .string()
    .max(20_000)
    .nullable()
    .default(null)
    .meta({ description: `Certificates in PEM that alone vouch for ${server}; null for the public authorities.` }),
});

export const connectionTokenSchema = z
  .strictObject({
    token: z
      .string()
      .regex(/^[!-~]{1,4096}$/, 'must be printable ASCII without spaces')
      .nullable()
      .meta({ description: 'Sent as bearer token, and never shown again; null removes it.' }),
  })
  .meta({ id: 'ConnectionToken' });
export type ConnectionTokenBody = z.infer<typeof connectionTokenSchema>;

/** The members of every connection, as they are read. */
export const connectionShape = {
  id: uuidSchema,
  url: z.string(),
  ca: z.string().nullable(),
  has_token: z.boolean(),
  error: z.string().nullable().meta({ description: 'The reason why it has failed since then; null if it did not.' }),
  error_at: timestampSchema.nullable(),
  created_by: uuidSchema,
  created_at: timestampSchema,
  etag: z.string().meta({ description: 'The ETag of its settings, for the If-Match of a change.' }),
  ...appliedAloneShape,
};
const connectionSchema = z.object(connectionShape);
export type ConnectionView = z.infer<typeof connectionSchema>;
