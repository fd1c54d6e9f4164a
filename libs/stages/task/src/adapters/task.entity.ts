import type { TaskState } from '#lib/formats';
import { entity, moment, text, uuid } from '#lib/database';
import type { Digest, EnvironmentId, TaskId } from '#lib/kernel';
import { SUBMITTER } from './submitter-columns.js';

export const taskEntity = entity(
  'task',
  { id: uuid<TaskId>() },
  {
    environmentId: uuid<EnvironmentId>(),
    state: text<TaskState>(),
    spec: text(),
    specDigest: text<Digest>(),
    ...SUBMITTER,
    createdAt: moment(),
    updatedAt: moment(),
  },
);
