import { z } from 'zod';
import { APPROVAL_STATES, digestSchema, MFA_METHODS, RUN_STATES, TOOL_LEVELS, VERDICTS } from '#lib/formats';
import { planDescriptionSchema } from '#lib/plan';
import type { CallMessage, PlanMessage, RequestMessage } from './request-message.js';

const count = z.int().min(0);
const level = z.enum(TOOL_LEVELS);
const texts = z.array(z.string());
const object = z.record(z.string(), z.json());

const shared = {
  id: z.string(),
  digest: z.string(),
  state: z.enum(APPROVAL_STATES),
  closedReason: z.string().nullable(),
  environment: z.strictObject({ name: z.string(), production: z.boolean() }),
  requester: z.strictObject({ kind: z.enum(['agent', 'person']), name: z.string(), onBehalfOf: z.string().nullable() }),
  asked: z.array(z.strictObject({ count, roles: texts, filled: count })),
  mfa: z.boolean(),
  why: texts,
  reviews: z.array(
    z.strictObject({
      person: z.string(),
      knownBy: texts,
      verdict: z.enum(VERDICTS),
      comment: z.string(),
      method: z.enum(MFA_METHODS).nullable(),
    }),
  ),
  start: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['on_approval', 'manual']) }),
    z.strictObject({ kind: z.literal('at'), at: z.int() }),
  ]),
  deadline: z.int().nullable(),
  past: z.string().nullable(),
};

const planMessage: z.ZodType<PlanMessage> = z.strictObject({
  ...shared,
  type: z.literal('plan'),
  said: z.strictObject({ goal: z.string(), words: texts }),
  description: planDescriptionSchema,
  whatRuns: z.enum(['all', 'canary', 'promotion']),
  simulation: z
    .strictObject({ affected: count, minutes: z.number(), risk: level, by: texts, points: texts })
    .nullable(),
  changesAsked: z.array(z.strictObject({ revision: count, person: z.string(), comment: z.string() })),
  changedSince: z.strictObject({ people: texts, lines: texts }).nullable(),
  run: z.strictObject({ id: z.string(), state: z.enum(RUN_STATES) }).nullable(),
});

const callMessage: z.ZodType<CallMessage> = z.strictObject({
  ...shared,
  type: z.literal('tool_call'),
  call: z.strictObject({
    tool: z.strictObject({ name: z.string(), version: z.int(), digest: digestSchema }),
    executor: z.strictObject({ name: z.string(), digest: digestSchema }).nullable(),
    arguments: object,
    targets: texts,
    category: z.string(),
    level,
    impact: z.string(),
  }),
  reason: z.string().nullable(),
  always: object.nullable(),
  confirmWord: z.string().nullable(),
});

/** A {@link RequestMessage} as JSON. */
export const requestMessageSchema: z.ZodType<RequestMessage> = z.union([planMessage, callMessage]);
