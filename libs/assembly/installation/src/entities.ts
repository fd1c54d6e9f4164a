import {
  absenceEntity,
  approvalClaimEntity,
  approvalLookEntity,
  approvalRequestEntity,
  reviewEntity,
} from '#lib/approval';
import {
  notificationPreferenceEntity,
  onDutyEntity,
  outboxMessageEntity,
  pushKeyEntity,
  pushSubscriptionEntity,
} from '#lib/delivery';
import { factorEntity, lockoutEntity, passkeyRegistrationEntity, recoveryCodeEntity, stepUpEntity } from '#lib/mfa';
import { planEntity } from '#lib/plan';
import { simulationEntity } from '#lib/simulation';
import { taskEntity } from '#lib/task';
import { environmentEntity, secretBindingEntity, secretEntity } from '#lib/tenancy';
import { executorEntity, executorVersionEntity, toolEntity, toolVersionEntity } from '#lib/tool';

/** Every table that TypeORM reads and writes, for `openDatabase`. */
export const ENTITIES = [
  absenceEntity,
  approvalClaimEntity,
  approvalLookEntity,
  approvalRequestEntity,
  environmentEntity,
  executorEntity,
  executorVersionEntity,
  factorEntity,
  lockoutEntity,
  notificationPreferenceEntity,
  onDutyEntity,
  outboxMessageEntity,
  passkeyRegistrationEntity,
  planEntity,
  pushKeyEntity,
  pushSubscriptionEntity,
  recoveryCodeEntity,
  reviewEntity,
  secretBindingEntity,
  secretEntity,
  simulationEntity,
  stepUpEntity,
  taskEntity,
  toolEntity,
  toolVersionEntity,
];
