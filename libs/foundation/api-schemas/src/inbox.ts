import { z } from 'zod';
import { INCIDENT_DUTIES } from '#lib/formats';
import { absenceSchema, listedPlanRequestSchema, queuedRequestSchema } from './approval.js';
import { changeRequestSchema } from './change-request.js';
import { incidentSchema } from './incident.js';

/** One thing that waits for the caller. */
const inboxItemSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('request'), request: queuedRequestSchema }),
    z.object({ kind: z.literal('start'), request: listedPlanRequestSchema }),
    z.object({ kind: z.literal('incident'), duty: z.enum(INCIDENT_DUTIES), incident: incidentSchema }),
    z.object({ kind: z.literal('change'), change: changeRequestSchema }),
  ])
  .meta({ id: 'InboxItem' });
export type InboxItemView = z.infer<typeof inboxItemSchema>;

export const inboxSchema = z
  .object({
    items: z.array(inboxItemSchema).meta({ description: 'Critical items in production first, then by age.' }),
    count: z.int().min(0),
    more: z.boolean().meta({ description: 'Whether more waits than is listed.' }),
    standing_in: z.array(absenceSchema).meta({
      description: 'The people that the caller stands in for, now or soon. Their requests are among the items.',
    }),
  })
  .meta({ id: 'Inbox' });
export type InboxView = z.infer<typeof inboxSchema>;
