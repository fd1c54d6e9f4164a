/** The events that a webhook can subscribe to: the three of tools, and groups of events. */
export const WEBHOOK_SUBSCRIPTIONS = [
  'tool.started',
  'tool.completed',
  'tool.failed',
  'task.*',
  'plan.*',
  'approval.*',
  'run.*',
  'incident.*',
  'session.*',
  'guardrail.*',
] as const;
export type WebhookSubscription = (typeof WEBHOOK_SUBSCRIPTIONS)[number];
