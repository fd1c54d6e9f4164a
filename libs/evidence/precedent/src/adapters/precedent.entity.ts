import { boolean, bytes, entity, integer, moment, nullable, text, texts, uuid } from '#lib/database';
import type { AgentId, ApprovalRequestId, EnvironmentId, IncidentId, PersonId, RunId, TaskId } from '#lib/kernel';
import type { Precedent } from '../domain/precedent.js';

export const precedentEntity = entity(
  'precedent',
  { id: uuid() },
  {
    requestId: nullable(uuid<ApprovalRequestId>()),
    runId: nullable(uuid<RunId>()),
    incidentId: nullable(uuid<IncidentId>()),
    subjectType: text<Precedent['subject']['type']>(),
    subjectId: uuid(),
    taskId: nullable(uuid<TaskId>()),
    environmentId: uuid<EnvironmentId>(),
    environmentName: text(),
    agentId: nullable(uuid<AgentId>()),
    personId: nullable(uuid<PersonId>()),
    endedAs: text(),
    unknownEffects: integer(),
    effects: integer(),
    because: nullable(text()),
    tools: texts(),
    arguments: texts(),
    targets: texts(),
    targetCount: integer(),
    phases: nullable(text<NonNullable<Precedent['phases']>>()),
    shape: text(),
    goal: nullable(text()),
    goalIsOwn: boolean(),
    terms: texts(),
    length: integer(),
    openedAt: moment(),
    endedAt: moment(),
    erasedAt: nullable(moment()),
  },
);

/** Without its point, whose type depends on the extensions of the server. */
export const precedentVectorEntity = entity(
  'precedent_vector',
  { precedentId: uuid() },
  { agentId: nullable(uuid<AgentId>()), generation: integer(), exact: nullable(bytes()) },
);
