import { z } from 'zod';
import { slugSchema } from './primitives.js';

const cronTriggerSchema = z
  .strictObject({
    type: z.literal('cron').meta({ description: 'At times of a schedule.' }),
    schedule: z.string().min(1).max(200).meta({
      description:
        'Five fields of cron: minute, hour, day of the month, month, day of the week. `*/15 8-18 * * MON-FRI`.',
    }),
    time_zone: z.string().min(1).max(64).meta({ description: 'IANA: Europe/Berlin.' }),
    missed: z.enum(['skip', 'run_once']).default('skip').meta({
      description:
        'A time that is found more than a minute late: skip leaves it out; run_once makes up for the latest one, once.',
    }),
  })
  .meta({
    id: 'CronTrigger',
    description:
      'A time is fixed if neither its minutes nor its hours have `*` or `/`; any other is repeated. If clocks go forward, a fixed time in the gap comes right after it. A repeated time is left out. If they go back, a fixed time comes once, and a repeated time twice. A day of the month and a day of the week are each enough.',
  });
export type CronTrigger = z.infer<typeof cronTriggerSchema>;

/** Names and indexes on the way into a body, without the prototype's. */
const bodyPathSchema = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){0,9}$/, 'must be up to ten names with dots between them: data.facts.tool')
  .meta({ description: 'Names and indexes with dots between them: `data.facts.tool`.' });

const scalarSchema = z.union([z.string().max(1_000), z.number(), z.boolean()]);

const matchSchema = z
  .record(bodyPathSchema, z.union([scalarSchema, z.array(scalarSchema).min(1).max(50)]))
  .refine((match) => Object.keys(match).length <= 10, { error: 'must be at most 10' })
  .default({})
  .meta({ description: 'The value of each path, or the list that it is in. Anything else starts no run.' });

const mappingSchema = z
  .record(slugSchema, bodyPathSchema)
  .default({})
  .meta({ description: 'For each input, the path of its value.' });

const eventTriggerSchema = z
  .strictObject({
    type: z.literal('event').meta({ description: 'At an event of Countersign.' }),
    event: z
      .string()
      .max(100)
      .regex(/^[a-z]+\.(\*|[a-z0-9_]+)$/, 'must be an event or a group of them: run.failed, incident.*')
      .meta({ description: 'One that webhooks send, or a group of them: `run.failed`, `incident.*`.' }),
    match: matchSchema,
    inputs: mappingSchema,
  })
  .meta({
    id: 'EventTrigger',
    description:
      'Paths are those of the body `{event, timestamp, data}`. An event of the automation itself, and one that is found more than 15 minutes late, start no run.',
  });
export type EventTrigger = z.infer<typeof eventTriggerSchema>;

const endpointTriggerSchema = z
  .strictObject({
    type: z.literal('endpoint').meta({
      description:
        'At a request to `POST /v1/automations/{id}/trigger` by a person or an agent, which names the inputs.',
    }),
  })
  .meta({ id: 'EndpointTrigger' });

const webhookTriggerSchema = z
  .strictObject({
    type: z.literal('webhook').meta({ description: 'At a signed message of another system (Standard Webhooks).' }),
    match: matchSchema,
    inputs: mappingSchema,
  })
  .meta({
    id: 'WebhookTrigger',
    description: 'Paths are those of the JSON body. Each message starts at most one run.',
  });
export const automationTriggerSchema = z
  .discriminatedUnion('type', [cronTriggerSchema, eventTriggerSchema, endpointTriggerSchema, webhookTriggerSchema])
  .meta({ id: 'AutomationTrigger' });
export type AutomationTrigger = z.infer<typeof automationTriggerSchema>;
