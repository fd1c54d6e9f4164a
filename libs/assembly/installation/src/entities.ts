import { factorEntity, lockoutEntity, passkeyRegistrationEntity, recoveryCodeEntity, stepUpEntity } from '#lib/mfa';
import { taskEntity } from '#lib/task';
import { environmentEntity, secretBindingEntity, secretEntity } from '#lib/tenancy';
import { executorEntity, executorVersionEntity, toolEntity, toolVersionEntity } from '#lib/tool';

/** Every table that TypeORM reads and writes, for `openDatabase`. */
export const ENTITIES = [
  environmentEntity,
  executorEntity,
  executorVersionEntity,
  factorEntity,
  lockoutEntity,
  passkeyRegistrationEntity,
  recoveryCodeEntity,
  secretBindingEntity,
  secretEntity,
  stepUpEntity,
  taskEntity,
  toolEntity,
  toolVersionEntity,
];
