import { z } from 'zod';
import { SHELL_DIALECTS, type ToolCallDecision, type ToolCallState } from '#lib/formats';
import { entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { DecisionId, Digest, EnvironmentId, SessionId, ToolCallId } from '#lib/kernel';
import { shellFactsSchema } from '#lib/policy-inputs';
import type { ShellVerdict } from '#lib/shell-safety';
import { SUBMITTER } from '#lib/task';

const span = { start: z.int(), end: z.int() };
const reason = z.strictObject({ code: z.string(), message: z.string(), ...span });
const { tier, class: shellClass } = shellFactsSchema.shape;

const verdict: z.ZodType<ShellVerdict> = z.strictObject({
  shell: z.enum(SHELL_DIALECTS),
  tier,
  class: shellClass,
  allowListed: z.enum(['allowed', 'after_approval', 'blocked']),
  parts: z.array(
    z.strictObject({ ...span, program: z.string().nullable(), tier, class: shellClass, reasons: z.array(reason) }),
  ),
  network: z.boolean(),
});

export const toolCallEntity = entity(
  'tool_call',
  { id: uuid<ToolCallId>() },
  {
    sessionId: nullable(uuid<SessionId>()),
    ...SUBMITTER,
    clientCallId: nullable(text()),
    turnId: nullable(text()),
    reason: nullable(text()),
    toolName: text(),
    toolVersion: integer(),
    environmentId: uuid<EnvironmentId>(),
    environmentName: text(),
    arguments: text(),
    argumentsDigest: text<Digest>(),
    shell: nullable(json(verdict)),
    state: text<ToolCallState>(),
    decidedAs: text<ToolCallDecision>(),
    decisionId: uuid<DecisionId>(),
    decidedAt: moment(),
    allowedUntil: nullable(moment()),
    seal: text(),
  },
);
