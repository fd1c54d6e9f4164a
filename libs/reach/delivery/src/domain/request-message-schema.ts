import { z } from 'zod';
import {
  APPROVAL_STATES,
  digestSchema,
  expandedLineSchema,
  MFA_METHODS,
  RUN_STATES,
  TOOL_LEVELS,
  VERDICTS,
} from '#lib/formats';
import { pathFactsSchema, shellFactsSchema } from '#lib/policy-inputs';
import type { CallMessage, PlanMessage, RequestMessage } from './request-message.js';

const count = z.int().min(0);
const level = z.enum(TOOL_LEVELS);
const texts = z.array(z.string());
const object = z.record(z.string(), z.json());
const reason = z.strictObject({ code: z.string(), message: z.string() });
const shownArguments = z.array(z.strictObject({ name: z.string(), value: z.json() }));

const line = z.strictObject({
  ...expandedLineSchema.pick({ argument: true, shell: true, tier: true, class: true }).shape,
  command: z.string(),
  parts: z.array(
    z.strictObject({
      ...shellFactsSchema.shape,
      start: count,
      end: count,
      program: z.string().nullable(),
      reasons: z.array(reason.extend({ start: count, end: count })),
    }),
  ),
});

const side = z.strictObject({
  tool: z.strictObject({
    name: z.string(),
    version: z.int(),
    executor: z.string(),
    risk: z.string(),
    effect: z.string(),
    idempotent: z.boolean(),
  }),
  shell: line.nullable(),
  paths: z.strictObject({ ...pathFactsSchema.shape, reasons: z.array(reason) }).nullable(),
  arguments: shownArguments,
  targets_as: texts,
});

const step = z.strictObject({
  step_id: z.string(),
  on_failure: z.enum(['pause', 'rollback', 'retry']),
  call: side,
  undo: side.nullable(),
  spread: z.enum(['environment', 'batch', 'target', 'listed']),
  calls: z.array(
    z.strictObject({
      seq: count,
      batch: count,
      targets: texts,
      arguments: shownArguments,
      undo_targets: texts.nullable(),
      undo_arguments: shownArguments,
    }),
  ),
});

const phase = z.strictObject({
  number: count,
  name: z.string(),
  canary: z.boolean(),
  batches: z.array(z.strictObject({ number: count, targets: texts })),
  steps: z.array(step),
  wait_seconds: count,
  health_checks: z.array(
    z.strictObject({
      name: z.string(),
      call: side,
      checks: z.array(z.strictObject({ batch: count, targets: texts, arguments: shownArguments })),
    }),
  ),
  rollback_if: z.string().nullable(),
});

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
  description: z.strictObject({
    headline: z.string(),
    risk: level,
    revision: count,
    environment: z.string(),
    targets: texts,
    phases: z.array(phase),
  }),
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
