import {
  absenceEntity,
  approvalClaimEntity,
  approvalLookEntity,
  approvalReminderEntity,
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
import {
  auditCheckpointEntity,
  auditEntryEntity,
  auditEpochEntity,
  auditEvidenceEntity,
  auditLeafEntity,
  auditNodeEntity,
  auditPublicationEntity,
  auditRetentionEntity,
  auditSigningKeyEntity,
  logFollowerEntity,
} from '#lib/audit';
import {
  automationEntity,
  automationRevisionEntity,
  automationRunEntity,
  automationSafeToolEntity,
  automationSecretEntity,
  automationStepRunEntity,
} from '#lib/automation';
import { autonomyHeadEntity, autonomyRevisionEntity } from '#lib/autonomy';
import { changeRequestEntity } from '#lib/change-request';
import { commentEntity, commentRecipientEntity } from '#lib/conversation';
import { callGrantEntity, grantKeyEntity } from '#lib/dispatch';
import { haltEntity } from '#lib/halt';
import { impactCellEntity, impactGroupEntity, impactReportEntity } from '#lib/impact';
import {
  destinationCheckEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
} from '#lib/incident';
import {
  agentEntity,
  credentialEntity,
  enrolmentEntity,
  personEntity,
  personVouchEntity,
  roleAssignmentEntity,
} from '#lib/identity';
import { factorEntity, lockoutEntity, passkeyRegistrationEntity, recoveryCodeEntity, stepUpEntity } from '#lib/mfa';
import { hookExecutionEntity, lifecycleHookEntity } from '#lib/lifecycle-hook';
import { planEntity, planToolEntity } from '#lib/plan';
import { precedentEntity, precedentVectorEntity } from '#lib/precedent';
import { bundleHeadEntity, decisionEntity, policyBundleEntity } from '#lib/policy';
import {
  browserSessionEntity,
  externalIdentityEntity,
  issuerEntity,
  issuerStandingEntity,
  passkeySignInEntity,
  signInSettingsEntity,
} from '#lib/sign-in';
import {
  healthResultEntity,
  runEntity,
  runEventEntity,
  runStepEntity,
  stepAttemptEntity,
  targetLockEntity,
} from '#lib/run';
import {
  runnerDispatchEntity,
  runnerEnrolmentEntity,
  runnerEntity,
  runnerKeyEntity,
  runnerMcpServerEntity,
  runnerOutputEntity,
  runnerProofEntity,
} from '#lib/runner-pool';
import { sessionAgentEntity, sessionEntity, sessionTrustEntity } from '#lib/session';
import { simulationEntity, simulationOutcomeEntity } from '#lib/simulation';
import { callOutputEntity, pendingOutputEntity, toolCallEntity, unjudgedCallEntity } from '#lib/tool-call';
import { mcpDefinitionEntity, mcpLookEntity } from '#lib/mcp-upstream';
import { embedderEntity } from '#lib/embedder';
import { siemCollectorEntity } from '#lib/siem';
import { webhookDeliveryEntity, webhookEndpointEntity, webhookSecretEntity } from '#lib/webhook';
import {
  slackAppEntity,
  slackAppWaitingEntity,
  slackChannelEntity,
  slackInstallAttemptEntity,
  slackInstallationEntity,
  slackInteractionEntity,
  slackLinkEntity,
  slackMessageEntity,
} from '#lib/slack';
import { taskEntity } from '#lib/task';
import { environmentEntity, secretBindingEntity, secretEntity, tenantEntity } from '#lib/tenancy';
import { executorEntity, executorVersionEntity, toolEntity, toolVersionEntity } from '#lib/tool';

/** Every table that TypeORM reads and writes, for `openDatabase`. */
export const ENTITIES = [
  absenceEntity,
  agentEntity,
  approvalClaimEntity,
  approvalLookEntity,
  approvalReminderEntity,
  approvalRequestEntity,
  auditCheckpointEntity,
  auditEntryEntity,
  auditEpochEntity,
  auditEvidenceEntity,
  auditLeafEntity,
  auditNodeEntity,
  auditPublicationEntity,
  auditRetentionEntity,
  auditSigningKeyEntity,
  automationEntity,
  automationRevisionEntity,
  automationRunEntity,
  automationSafeToolEntity,
  automationSecretEntity,
  automationStepRunEntity,
  autonomyHeadEntity,
  autonomyRevisionEntity,
  browserSessionEntity,
  bundleHeadEntity,
  callGrantEntity,
  callOutputEntity,
  changeRequestEntity,
  commentEntity,
  commentRecipientEntity,
  credentialEntity,
  decisionEntity,
  destinationCheckEntity,
  enrolmentEntity,
  environmentEntity,
  executorEntity,
  executorVersionEntity,
  externalIdentityEntity,
  factorEntity,
  grantKeyEntity,
  haltEntity,
  healthResultEntity,
  hookExecutionEntity,
  impactCellEntity,
  impactGroupEntity,
  impactReportEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
  issuerEntity,
  issuerStandingEntity,
  lifecycleHookEntity,
  lockoutEntity,
  logFollowerEntity,
  notificationPreferenceEntity,
  onDutyEntity,
  outboxMessageEntity,
  passkeyRegistrationEntity,
  passkeySignInEntity,
  pendingOutputEntity,
  personEntity,
  personVouchEntity,
  planEntity,
  planToolEntity,
  policyBundleEntity,
  precedentEntity,
  precedentVectorEntity,
  pushKeyEntity,
  pushSubscriptionEntity,
  recoveryCodeEntity,
  reviewEntity,
  roleAssignmentEntity,
  runEntity,
  runEventEntity,
  runStepEntity,
  runnerDispatchEntity,
  runnerEnrolmentEntity,
  runnerEntity,
  runnerKeyEntity,
  runnerMcpServerEntity,
  runnerOutputEntity,
  runnerProofEntity,
  secretBindingEntity,
  secretEntity,
  sessionAgentEntity,
  sessionEntity,
  sessionTrustEntity,
  signInSettingsEntity,
  simulationEntity,
  simulationOutcomeEntity,
  toolCallEntity,
  slackAppEntity,
  slackAppWaitingEntity,
  slackChannelEntity,
  slackInstallAttemptEntity,
  slackInstallationEntity,
  slackInteractionEntity,
  slackLinkEntity,
  slackMessageEntity,
  stepAttemptEntity,
  stepUpEntity,
  targetLockEntity,
  taskEntity,
  tenantEntity,
  toolEntity,
  toolVersionEntity,
  mcpDefinitionEntity,
  mcpLookEntity,
  siemCollectorEntity,
  embedderEntity,
  unjudgedCallEntity,
  webhookDeliveryEntity,
  webhookEndpointEntity,
  webhookSecretEntity,
];
