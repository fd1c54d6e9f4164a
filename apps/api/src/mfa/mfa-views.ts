import {
  passkeyOptionsSchema,
  type FactorListView,
  type FactorView,
  type StepUpProofView,
  type StepUpView,
} from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { Factor, FactorsOverview, ProvedStepUp, StepUpStarted } from '#lib/mfa';

export const factorView = (factor: Factor): FactorView => ({
  id: factor.id,
  kind: factor.kind,
  name: factor.name,
  state: factor.state,
  created_at: toTimestamp(factor.createdAt),
  confirmed_at: toTimestampOrNull(factor.confirmedAt),
  last_used_at: toTimestampOrNull(factor.lastUsedAt),
  synchronised: factor.kind === 'passkey' && factor.backedUp,
});

export const factorListView = ({ factors, recoveryCodesLeft }: FactorsOverview): FactorListView => ({
  items: factors.map(factorView),
  recovery_codes_left: recoveryCodesLeft,
});

export const stepUpView = ({ stepUp, methods, passkeyOptions }: StepUpStarted): StepUpView => ({
  id: stepUp.id,
  operation_digest: stepUp.operationDigest,
  methods: [...methods],
  passkey_options: passkeyOptions === null ? null : asJson(passkeyOptions),
  expires_at: toTimestamp(stepUp.expiresAt),
});

export const proofView = ({ id, method, provedAt, proofExpiresAt }: ProvedStepUp): StepUpProofView => ({
  id,
  method,
  proved_at: toTimestamp(provedAt),
  expires_at: toTimestamp(proofExpiresAt),
});

/** As it goes over the wire: members that are undefined do not. */
export const asJson = (options: object): NonNullable<StepUpView['passkey_options']> =>
  passkeyOptionsSchema.parse(JSON.parse(JSON.stringify(options)));
