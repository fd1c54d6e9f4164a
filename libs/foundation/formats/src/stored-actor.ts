import { z } from 'zod';

/** The author of an action, as rows and audit entries hold it: with the name of that moment. */
export const storedActorSchema = z.object({
  kind: z.enum(['person', 'agent', 'system']),
  id: z.string(),
  display_name: z.string(),
  credential_id: z.string().nullable(),
  on_behalf_of: z.string().nullable(),
});
