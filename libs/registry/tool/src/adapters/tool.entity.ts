import { boolean, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import { executorSettingsSchema } from '#lib/formats';
import type { Digest, EnvironmentId, PersonId, ToolVersionId } from '#lib/kernel';
import type { ExecutorId } from '../domain/ids.js';

export const toolEntity = entity(
  'tool',
  { id: uuid() },
  { name: text(), version: integer(), removed: boolean(), createdAt: moment(), updatedAt: moment() },
);

export const toolVersionEntity = entity(
  'tool_version',
  { id: uuid<ToolVersionId>() },
  {
    toolId: uuid(),
    name: text(),
    version: integer(),
    digest: text<Digest>(),
    definition: text(),
    createdAt: moment(),
    createdBy: uuid<PersonId>(),
  },
);

export const executorEntity = entity(
  'executor',
  { id: uuid<ExecutorId>() },
  { environmentId: uuid<EnvironmentId>(), name: text(), version: integer(), createdAt: moment(), updatedAt: moment() },
);

export const executorVersionEntity = entity(
  'executor_version',
  { id: uuid() },
  {
    executorId: uuid<ExecutorId>(),
    version: integer(),
    kind: text(),
    url: nullable(text()),
    audience: text(),
    sharedAudience: boolean(),
    secret: nullable(text()),
    settings: json(executorSettingsSchema),
    digest: text<Digest>(),
    createdAt: moment(),
    createdBy: uuid<PersonId>(),
  },
);
