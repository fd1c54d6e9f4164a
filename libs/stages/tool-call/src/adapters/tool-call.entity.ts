import { z } from 'zod';
import {
  digestSchema,
  PATH_CLASSES,
  SHELL_CLASSES,
  SHELLS,
  type ToolCallDecision,
  type ToolCallState,
} from '#lib/formats';
import { anyJson, boolean, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { ApprovalRequestId, DecisionId, Digest, EnvironmentId, SessionId, ToolCallId } from '#lib/kernel';
import type { PathVerdict } from '#lib/shell-safety';
import { SUBMITTER } from '#lib/task';
import type { CallLine } from '../domain/call-line.js';
import type { KeptChunk } from '../domain/call-output.js';
import type { CallExecutor, CallFault } from '../domain/tool-call.js';
import type { MissingFact } from '../domain/unjudged-call.js';

const span = { start: z.int(), end: z.int() };
const reason = z.strictObject({ code: z.string(), message: z.string(), ...span });
const tier = z.literal([1, 2, 3]);
const shellClass = z.enum(SHELL_CLASSES);

const line: z.ZodType<CallLine> = z.strictObject({
  shell: z.enum(SHELLS),
  tier,
  class: shellClass,
  allowListed: z.enum(['allowed', 'after_approval', 'blocked']),
  parts: z.array(
    z.strictObject({ ...span, program: z.string().nullable(), tier, class: shellClass, reasons: z.array(reason) }),
  ),
  network: z.boolean(),
  tree: digestSchema.nullable(),
});

const pathVerdict: z.ZodType<PathVerdict> = z.strictObject({
  tier: z.literal([1, 2]),
  class: z.enum(PATH_CLASSES),
  reasons: z.array(z.strictObject({ code: z.string(), message: z.string() })),
});

const fault: z.ZodType<CallFault> = z.strictObject({ code: z.string(), message: z.string() });

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
    executorName: nullable(text()),
    executorVersion: nullable(integer()),
    executorDigest: nullable(text<Digest>()),
    answeredBy: nullable(text<CallExecutor['answeredBy']>()),
    environmentId: uuid<EnvironmentId>(),
    environmentName: text(),
    environmentDigest: text(),
    arguments: text(),
    argumentsDigest: text<Digest>(),
    targets: json<readonly string[]>(z.array(z.string())),
    shell: nullable(json(line)),
    paths: nullable(json(pathVerdict)),
    askedAt: moment(),
    decisionId: uuid<DecisionId>(),
    requestId: nullable(uuid<ApprovalRequestId>()),
    state: text<ToolCallState>(),
    decidedAs: nullable(text<ToolCallDecision>()),
    decidedAt: nullable(moment()),
    denial: nullable(json(fault)),
    allowedUntil: nullable(moment()),
    attempt: integer(),
    dispatchedAt: nullable(moment()),
    leaseUntil: nullable(moment()),
    result: nullable(json(anyJson)),
    error: nullable(json(fault)),
    finishedAt: nullable(moment()),
    seal: text(),
  },
);

export const unjudgedCallEntity = entity(
  'tool_call_unjudged',
  { id: uuid<ToolCallId>() },
  {
    sessionId: nullable(uuid<SessionId>()),
    ...SUBMITTER,
    clientCallId: nullable(text()),
    turnId: nullable(text()),
    toolName: text(),
    toolVersion: nullable(integer()),
    environmentName: text(),
    argumentsDigest: text<Digest>(),
    code: text<MissingFact>(),
    errors: text(),
    bundleRevision: text(),
    askedAt: moment(),
    submitterNumber: integer(),
    sessionNumber: nullable(integer()),
  },
);

export const callOutputEntity = entity(
  'tool_call_output',
  { callId: uuid<ToolCallId>(), seq: integer() },
  { stream: text<KeptChunk['stream']>(), text: text(), cut: boolean(), at: moment() },
);

export const pendingOutputEntity = entity('tool_call_output_pending', { callId: uuid<ToolCallId>() }, { held: text() });
