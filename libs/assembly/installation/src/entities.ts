import { taskEntity } from '#lib/task';
import { environmentEntity, secretBindingEntity, secretEntity } from '#lib/tenancy';
import { executorEntity, executorVersionEntity, toolEntity, toolVersionEntity } from '#lib/tool';

/** Every table that TypeORM reads and writes, for `openDatabase`. */
export const ENTITIES = [
  environmentEntity,
  executorEntity,
  executorVersionEntity,
  secretBindingEntity,
  secretEntity,
  taskEntity,
  toolEntity,
  toolVersionEntity,
];
