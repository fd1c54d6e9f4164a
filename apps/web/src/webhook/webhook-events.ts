import type { WebhookSettingsBody } from '#lib/api-schemas';

type Subscription = WebhookSettingsBody['events'][number];

/** The meaning of each subscription; the type has it list all of them. */
const MEANINGS: Readonly<Record<Subscription, string>> = {
  'tool.started': 'a tool call begins',
  'tool.completed': 'a tool call succeeded',
  'tool.failed': 'a tool call failed, or got no answer in time',
  'task.*': 'tasks',
  'plan.*': 'plans and their simulations',
  'approval.*': 'requests and reviews',
  'run.*': 'runs and their steps, of automations, too',
  'incident.*': 'incidents and break-glass',
  'session.*': 'sessions of agents',
  'guardrail.*': 'decisions about calls, halts and settings',
};

// `Object.entries` forgets the type of the keys.
export const EVENTS = Object.entries(MEANINGS) as readonly (readonly [Subscription, string])[];
