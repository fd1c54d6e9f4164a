import { z } from 'zod';
import {
  digestSchema,
  INCIDENT_EVENT_KINDS,
  INCIDENT_STATES,
  lineSchema,
  MFA_METHODS,
  PAGE_STATES,
  PLAN_STATUSES,
  RUN_STATES,
  secretReferenceSchema,
  timestampSchema,
  uuidSchema,
  reasonSchema,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { actorSchema, pageOf, pageQuerySchema } from './shared-schemas.js';
import { headlineShape } from './plan-description.js';
import { whyNotSchema } from './why-not.js';
import { workFilterShape } from './work-filter.js';

/** Text of people over several lines. */
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), { error: 'must be well-formed text' });

export const invokeBreakGlassSchema = z
  .strictObject({
    plan_id: uuidSchema,
    plan_digest: digestSchema.meta({ description: 'Of the plan as it was seen: exactly that is executed.' }),
    justification: z
      .string()
      .max(4_000)
      .refine((given) => given.isWellFormed() && !given.includes('\0'), { error: 'must be well-formed text' })
      .meta({ description: 'The reason why this cannot wait: at least 20 characters that say something.' }),
    step_up_id: uuidSchema.optional().meta({ description: 'A step-up that was proved for exactly this invocation.' }),
  })
  .meta({ id: 'InvokeBreakGlass' });
export type InvokeBreakGlassBody = z.infer<typeof invokeBreakGlassSchema>;

export const breakGlassInvokedSchema = z
  .object({ run_id: uuidSchema, incident_id: uuidSchema })
  .meta({ id: 'BreakGlassInvoked' });
export type BreakGlassInvokedView = z.infer<typeof breakGlassInvokedSchema>;

const REACHES = ['answers', 'silent', 'untested', 'unmapped'] as const;

/** A destination of incidents, with the last test message to each address. */
const destinationSchema = z
  .object({
    name: z.string(),
    reach: z.enum(REACHES).meta({
      description:
        'answers: an address took the last test message; silent: none did; untested: none was sent; unmapped: it has no address.',
    }),
    addresses: z.array(
      z.object({
        address: z.string(),
        channel: z
          .string()
          .nullable()
          .meta({ description: 'The channel that has the address, such as slack or email.' }),
        tested_at: timestampSchema.nullable(),
        answered_at: timestampSchema.nullable(),
        error: z.string().nullable().meta({ description: 'The reason why the last test message failed.' }),
      }),
    ),
  })
  .meta({ id: 'IncidentDestination' });
export type DestinationView = z.infer<typeof destinationSchema>;

export const destinationListSchema = z
  .object({ items: z.array(destinationSchema) })
  .meta({ id: 'IncidentDestinationList' });
export type DestinationListView = z.infer<typeof destinationListSchema>;

export const breakGlassAvailabilityQuerySchema = z.strictObject({ plan_id: uuidSchema });

export const checkBreakGlassSchema = z.strictObject({
  plan_id: uuidSchema,
  justification: z.string().max(4_000).meta({ description: 'The reason of the invocation.' }),
});

export const breakGlassAvailabilitySchema = z
  .object({
    available: z.boolean().meta({ description: 'Whether the caller could break the glass for this plan now.' }),
    reasons: z.array(reasonSchema).meta({ description: 'The reasons why not; empty if it is available.' }),
    plan_id: uuidSchema,
    plan_digest: digestSchema,
    plan_status: z.enum(PLAN_STATUSES),
    enabled: z.boolean(),
    allowed_roles: z.array(z.string()),
    notifies: z.array(z.string()),
    second_factor_enrolled: z.boolean(),
    notified: z
      .object({
        destinations: z.array(destinationSchema),
        people: z.object({
          count: z
            .int()
            .min(0)
            .meta({ description: 'PlatformAdmins and SecurityReviewers; they are always notified.' }),
          reached: z.int().min(0).meta({
            description: 'Those that a channel, such as mail or Slack, reaches beyond the inbox and the banner.',
          }),
        }),
      })
      .meta({ description: 'The destinations and people that would be notified.' }),
  })
  .meta({ id: 'BreakGlassAvailability' });
export type BreakGlassAvailabilityView = z.infer<typeof breakGlassAvailabilitySchema>;

const personSchema = z.object({ id: uuidSchema, display_name: z.string() });

/** An incident, as lists show it. */
export const incidentSchema = z
  .object({
    id: uuidSchema,
    state: z.enum(INCIDENT_STATES),
    task_id: uuidSchema,
    plan_id: uuidSchema,
    plan_digest: z.string(),
    ...headlineShape,
    run_id: uuidSchema,
    run_state: z.enum(RUN_STATES),
    environment: z.object({ id: uuidSchema, name: z.string(), production: z.boolean() }),
    decision_id: uuidSchema,
    invoked_by: personSchema,
    justification: z.string().meta({ description: 'In the words of the person who broke the glass.' }),
    second_factor: z.object({ method: z.enum(MFA_METHODS), proved_at: timestampSchema }),
    notifies: z.array(z.string()),
    opened_at: timestampSchema,
    acknowledged_at: timestampSchema.nullable(),
    acknowledged_by: personSchema.nullable(),
    resolved_at: timestampSchema.nullable(),
    resolved_by: personSchema.nullable(),
    post_mortem: z.string().nullable(),
    review_due_at: timestampSchema,
    overdue: z.boolean().meta({ description: 'The review is due, and was not given.' }),
    reviewed_at: timestampSchema.nullable(),
    reviewed_by: personSchema.nullable(),
    review_comment: z.string().nullable(),
  })
  .meta({ id: 'Incident' });
export type IncidentView = z.infer<typeof incidentSchema>;

const incidentEventSchema = z
  .object({
    seq: z.int().min(1),
    kind: z.enum(INCIDENT_EVENT_KINDS),
    actor: actorSchema,
    text: z.string(),
    data: z.json(),
    at: timestampSchema,
  })
  .meta({ id: 'IncidentEvent' });
export type IncidentEventView = z.infer<typeof incidentEventSchema>;

/** The incident with its timeline, and the alerts sent to PagerDuty. */
export const incidentDetailSchema = incidentSchema
  .extend({
    timeline: z.array(incidentEventSchema),
    pages: z.array(
      z.object({
        action: z.enum(['trigger', 'acknowledge', 'resolve']),
        state: z.enum(PAGE_STATES),
        attempts: z.int().min(0),
        last_error: z.string().nullable(),
      }),
    ),
    notified: z.array(z.object({ id: uuidSchema, display_name: z.string(), by: z.array(z.string()) })).meta({
      description:
        'PlatformAdmins and SecurityReviewers are notified as people: in the inbox, in the banner, and by these channels.',
    }),
    you_may_review: z.boolean().meta({ description: 'Never true for the person who broke the glass.' }),
    why_not_review: whyNotSchema
      .nullable()
      .meta({ description: 'The reason why you can never review it, and your way out.' }),
  })
  .meta({ id: 'IncidentDetail' });
export type IncidentDetailView = z.infer<typeof incidentDetailSchema>;

export const incidentListSchema = pageOf(incidentSchema).meta({ id: 'IncidentList' });

export const incidentQuerySchema = pageQuerySchema.extend({
  ...workFilterShape,
  state: z.enum(INCIDENT_STATES).optional(),
  plan_id: uuidSchema.optional(),
  overdue: z.enum(['true']).optional(),
});
export type IncidentQuery = z.infer<typeof incidentQuerySchema>;

export const acknowledgeIncidentSchema = z
  .strictObject({ note: text(4_000).optional() })
  .meta({ id: 'AcknowledgeIncident' });
export type AcknowledgeIncidentBody = z.infer<typeof acknowledgeIncidentSchema>;

export const noteIncidentSchema = z.strictObject({ text: text(4_000) }).meta({ id: 'NoteIncident' });
export type NoteIncidentBody = z.infer<typeof noteIncidentSchema>;

export const resolveIncidentSchema = z
  .strictObject({
    post_mortem: text(20_000).meta({ description: 'The course of the incident, and its consequences.' }),
  })
  .meta({ id: 'ResolveIncident' });
export type ResolveIncidentBody = z.infer<typeof resolveIncidentSchema>;

export const reviewIncidentSchema = z
  .strictObject({ comment: text(4_000).meta({ description: 'The findings of the reviewer.' }) })
  .meta({ id: 'ReviewIncident' });
export type ReviewIncidentBody = z.infer<typeof reviewIncidentSchema>;

export const PAGERDUTY_EVENTS_URL = 'https://events.pagerduty.com/v2/enqueue';

export const incidentSettingsSchema = z
  .strictObject({
    destinations: z
      .record(lineSchema(200), z.array(lineSchema(254)).min(1).max(20))
      .refine((names) => Object.keys(names).length <= 50, { error: 'must name at most 50 destinations' })
      .meta({
        description:
          'The addresses of each destination that `notifies` names: addresses of channels (GET /v1/notification-channels).',
        examples: [{ 'security-team': ['C012AB3CD', 'security@example.com'] }],
      }),
    review_days: z
      .int()
      .min(1)
      .max(30)
      .default(5)
      .meta({ description: 'How many days after the invocation the post-mortem is to be reviewed.' }),
    pagerduty: z
      .strictObject({
        routing_key: z.strictObject({ $secret: secretReferenceSchema }),
        url: z
          .url({ protocol: /^https?$/ })
          .max(2_000)
          .optional()
          .meta({ description: 'The address that takes events; left out, the address of PagerDuty itself.' }),
      })
      .nullable()
      .default(null)
      .meta({ description: 'An Events API v2 integration that incidents are sent on to.' }),
  })
  .meta({ id: 'IncidentSettings' });
export type IncidentSettingsView = z.infer<typeof incidentSettingsSchema>;

export const incidentSettingsSetSchema = z
  .object({ ...incidentSettingsSchema.shape, ...appliedAloneShape })
  .meta({ id: 'IncidentSettingsSet' });

export const incidentPageSchema = z
  .object({
    id: uuidSchema,
    incident_id: uuidSchema,
    action: z.enum(['trigger', 'acknowledge', 'resolve']),
    state: z.enum(['pending', 'sent', 'failed']),
    attempts: z.int(),
    last_error: z.string().nullable(),
    created_at: timestampSchema,
  })
  .meta({ id: 'IncidentPage', description: 'The page that PagerDuty gets of an incident.' });
export type IncidentPageView = z.infer<typeof incidentPageSchema>;

export const incidentPageListSchema = pageOf(incidentPageSchema).meta({ id: 'IncidentPageList' });
