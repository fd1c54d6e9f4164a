import { z } from 'zod';
import { bytes, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import {
  storedActorSchema,
  type AutomationRunState,
  type AutomationState,
  type AutomationStepState,
} from '#lib/formats';
import type { AgentId, AutomationRunId, CredentialId, Digest, EnvironmentId, PersonId, ToolCallId } from '#lib/kernel';
import type { AutomationStepRun } from '../domain/automation.js';
import type { AutomationId, SafeToolId } from '../domain/ids.js';
import type { AcceptedTool } from '../domain/safe-tool.js';

const faultSchema = z.strictObject({ code: z.string(), message: z.string() });

const inputValuesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const automationSafeToolEntity = entity(
  'automation_safe_tool',
  { id: uuid<SafeToolId>() },
  {
    tool: text(),
    version: integer(),
    digest: text<Digest>(),
    effect: text<AcceptedTool['effect']>(),
    risk: text<AcceptedTool['risk']>(),
    addedBy: uuid<PersonId>(),
    addedAt: moment(),
    removedBy: nullable(uuid<PersonId>()),
    removedAt: nullable(moment()),
    seal: text(),
  },
);

export const automationEntity = entity(
  'automation',
  { id: uuid<AutomationId>() },
  {
    name: text(),
    environmentId: uuid<EnvironmentId>(),
    state: text<AutomationState>(),
    version: integer(),
    revision: integer(),
    sourceSha256: text(),
    agentId: nullable(uuid<AgentId>()),
    credentialId: nullable(uuid<CredentialId>()),
    ownerId: nullable(uuid<PersonId>()),
    failures: integer(),
    lookedUntil: nullable(moment()),
    nextAt: nullable(moment()),
    listensFrom: nullable(moment()),
    proposedAt: moment(),
    seal: text(),
  },
);

export const automationRevisionEntity = entity(
  'automation_revision',
  { automationId: uuid<AutomationId>(), number: integer() },
  { source: text(), sha256: text(), author: json(storedActorSchema), createdAt: moment() },
);

export const automationSecretEntity = entity(
  'automation_secret',
  { id: uuid() },
  {
    automationId: uuid<AutomationId>(),
    keyId: text(),
    nonce: bytes(),
    ciphertext: bytes(),
    until: nullable(moment()),
  },
);

export const automationRunEntity = entity(
  'automation_run',
  { id: uuid<AutomationRunId>() },
  {
    automationId: uuid<AutomationId>(),
    version: integer(),
    revision: integer(),
    occurrence: text(),
    inputs: json(inputValuesSchema),
    dueAt: moment(),
    state: text<AutomationRunState>(),
    position: integer(),
    callId: nullable(uuid<ToolCallId>()),
    fault: nullable(json(faultSchema)),
    createdAt: moment(),
    finishedAt: nullable(moment()),
    seal: text(),
  },
);

export const automationStepRunEntity = entity(
  'automation_step_run',
  { runId: uuid<AutomationRunId>(), seq: integer() },
  {
    step: text(),
    type: text<AutomationStepRun['type']>(),
    state: text<AutomationStepState>(),
    fault: nullable(json(faultSchema)),
    callId: nullable(uuid<ToolCallId>()),
    startedAt: moment(),
    finishedAt: nullable(moment()),
  },
);
