import { taskEntity } from '#lib/task';
import { environmentEntity, secretBindingEntity, secretEntity } from '#lib/tenancy';

/** Every table that TypeORM reads and writes, for `openDatabase`. */
export const ENTITIES = [environmentEntity, secretBindingEntity, secretEntity, taskEntity];
