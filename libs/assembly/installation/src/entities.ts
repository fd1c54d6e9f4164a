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
import { autonomyHeadEntity, autonomyRevisionEntity } from '#lib/autonomy';
import { changeRequestEntity } from '#lib/change-request';
import { commentEntity, commentRecipientEntity } from '#lib/conversation';
import { haltEntity } from '#lib/halt';
import {
  destinationCheckEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
} from '#lib/incident';
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
  autonomyHeadEntity,
  autonomyRevisionEntity,
  changeRequestEntity,
  commentEntity,
  commentRecipientEntity,
  destinationCheckEntity,
  environmentEntity,
  executorEntity,
  executorVersionEntity,
  factorEntity,
  haltEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
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
