import { boolean, bytes, entity, integer, json, moment, nullable, text, texts, uuid } from '#lib/database';
import { advertisedMcpServerSchema, advertisedToolsSchema } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import type { DispatchState } from '../domain/dispatch-transitions.js';
import type { OutputChunk } from '../application/runner.ports.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';

export const runnerEntity = entity(
  'runner',
  { id: uuid<RunnerId>() },
  {
    name: text(),
    pool: text(),
    environments: texts(),
    createdAt: moment(),
    createdBy: uuid<PersonId>(),
    enrolledAt: nullable(moment()),
    version: nullable(text()),
    tools: json(advertisedToolsSchema),
    worksIn: nullable(texts()),
    hooks: texts(),
    noWayBack: nullable(text()),
    lastSeenAt: nullable(moment()),
    leftAt: nullable(moment()),
    revokedAt: nullable(moment()),
    revokedBy: nullable(uuid<PersonId>()),
    seal: text(),
  },
);

export const runnerKeyEntity = entity(
  'runner_key',
  { id: uuid() },
  { runnerId: uuid<RunnerId>(), publicKey: text(), createdAt: moment(), revokedAt: nullable(moment()), seal: text() },
);

export const runnerEnrolmentEntity = entity(
  'runner_enrolment',
  { id: uuid() },
  {
    runnerId: uuid<RunnerId>(),
    tokenDigest: bytes(),
    createdAt: moment(),
    expiresAt: moment(),
    usedAt: nullable(moment()),
    seal: text(),
  },
);

export const runnerProofEntity = entity(
  'runner_proof',
  { runnerId: uuid<RunnerId>(), id: uuid() },
  { expiresAt: moment() },
);

export const runnerMcpServerEntity = entity(
  'runner_mcp_server',
  { runnerId: uuid<RunnerId>(), name: text() },
  { problem: nullable(text()), tools: json(advertisedMcpServerSchema.shape.tools) },
);

export const runnerDispatchEntity = entity(
  'runner_dispatch',
  { id: uuid<RunnerDispatchId>() },
  {
    pool: text(),
    environment: text(),
    executor: text(),
    sourceType: text(),
    sourceId: uuid(),
    step: text(),
    attempt: integer(),
    tool: text(),
    toolVersion: integer(),
    arguments: text(),
    withSecrets: boolean(),
    idempotencyKey: text(),
    grantToken: text(),
    state: text<DispatchState>(),
    offeredAt: moment(),
    offeredUntil: moment(),
    answerBy: moment(),
    runnerId: nullable(uuid<RunnerId>()),
    takenAt: nullable(moment()),
    endedAt: nullable(moment()),
    answer: nullable(text()),
    handOverAt: nullable(moment()),
    outputSeq: integer(),
    outputBytes: integer(),
    outputCut: boolean(),
    outputHeld: nullable(text()),
  },
);

export const runnerOutputEntity = entity(
  'runner_output',
  { dispatchId: uuid<RunnerDispatchId>(), seq: integer() },
  { stream: text<OutputChunk['stream']>(), text: text(), at: moment() },
);
