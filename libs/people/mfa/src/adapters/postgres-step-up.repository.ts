import { sqlOf } from '#lib/database';
import type {
  CredentialId,
  Digest,
  FactorId,
  MfaMethod,
  PersonId,
  SteppedUpOperation,
  StepUpId,
  Tx,
} from '#lib/kernel';
import type { StepUpRepository } from '../application/mfa.ports.js';
import type { StepUpState } from '../domain/step-up-transitions.js';
import type { PasskeyAssertion, ProvedStepUp, StepUp, UsedStepUp } from '../domain/step-up.js';

interface StepUpRow {
  readonly id: StepUpId;
  readonly person_id: PersonId;
  readonly credential_id: CredentialId;
  readonly state: StepUpState;
  readonly operation: SteppedUpOperation;
  readonly operation_digest: Digest;
  readonly challenge: string | null;
  readonly nonce: Buffer | null;
  readonly assertion: PasskeyAssertion | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly method: MfaMethod | null;
  readonly factor_id: FactorId | null;
  readonly proved_at: Date | null;
  readonly proof_expires_at: Date | null;
  readonly used_at: Date | null;
}

const COLUMNS = `id, person_id, credential_id, state, operation, operation_digest, challenge, nonce, assertion, created_at,
  expires_at, method, factor_id, proved_at, proof_expires_at, used_at`;

/** Step-ups in PostgreSQL, table step_up. */
export class PostgresStepUpRepository implements StepUpRepository {
  async insert(tx: Tx, stepUp: StepUp): Promise<void> {
    await sqlOf(tx).execute(
      `delete from step_up where tenant_id = $1 and person_id = $2 and state = 'open' and expires_at <= $3`,
      [tx.tenantId, stepUp.personId, new Date(stepUp.createdAt)],
    );
    await sqlOf(tx).execute(
      `insert into step_up (tenant_id, id, person_id, credential_id, state, operation, operation_digest, challenge,
         nonce, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        tx.tenantId,
        stepUp.id,
        stepUp.personId,
        stepUp.credentialId,
        stepUp.state,
        JSON.stringify(stepUp.operation),
        stepUp.operationDigest,
        stepUp.challenge,
        stepUp.nonce === null ? null : Buffer.from(stepUp.nonce),
        new Date(stepUp.createdAt),
        new Date(stepUp.expiresAt),
      ],
    );
  }

  async lock(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    const [row] = await sqlOf(tx).query<StepUpRow>(
      `select ${COLUMNS} from step_up where tenant_id = $1 and id = $2 for no key update`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : stepUpOf(row);
  }

  async find(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    const [row] = await sqlOf(tx).query<StepUpRow>(`select ${COLUMNS} from step_up where tenant_id = $1 and id = $2`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : stepUpOf(row);
  }

  async spendChallenge(tx: Tx, id: StepUpId): Promise<void> {
    await sqlOf(tx).execute('update step_up set challenge = null where tenant_id = $1 and id = $2', [tx.tenantId, id]);
  }

  async save(tx: Tx, stepUp: ProvedStepUp | UsedStepUp): Promise<void> {
    await sqlOf(tx).execute(
      `update step_up set state = $3, challenge = null, method = $4, factor_id = $5, proved_at = $6, proof_expires_at = $7,
         used_at = $8, assertion = $9
       where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        stepUp.id,
        stepUp.state,
        stepUp.method,
        stepUp.factorId,
        new Date(stepUp.provedAt),
        new Date(stepUp.proofExpiresAt),
        stepUp.state === 'used' ? new Date(stepUp.usedAt) : null,
        stepUp.assertion === null ? null : JSON.stringify(stepUp.assertion),
      ],
    );
  }

  async expireProofs(tx: Tx, personId: PersonId, at: number): Promise<void> {
    await sqlOf(tx).execute(
      `update step_up set proof_expires_at = $3
       where tenant_id = $1 and person_id = $2 and state = 'proved' and proof_expires_at > $3`,
      [tx.tenantId, personId, new Date(at)],
    );
  }
}

/** @throws where a row is not what the table's constraints promise. */
function stepUpOf(row: StepUpRow): StepUp {
  const facts = {
    id: row.id,
    personId: row.person_id,
    credentialId: row.credential_id,
    operation: row.operation,
    operationDigest: row.operation_digest,
    challenge: row.challenge,
    nonce: row.nonce,
    createdAt: row.created_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
  if (row.state === 'open') return { ...facts, state: 'open' };
  if (row.method === null || row.proved_at === null || row.proof_expires_at === null) {
    throw new Error(`step_up ${row.id} is ${row.state} and lacks what belongs to it`);
  }
  const proof = {
    method: row.method,
    factorId: row.factor_id,
    assertion: row.assertion,
    provedAt: row.proved_at.getTime(),
    proofExpiresAt: row.proof_expires_at.getTime(),
  };
  return row.used_at === null
    ? { ...facts, ...proof, state: 'proved' }
    : { ...facts, ...proof, state: 'used', usedAt: row.used_at.getTime() };
}
