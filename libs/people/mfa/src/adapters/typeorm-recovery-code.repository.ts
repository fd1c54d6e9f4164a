import { IsNull } from 'typeorm';
import { v7 } from 'uuid';
import { rowsOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { RecoveryCodeRepository, UnusedCode } from '../application/mfa.ports.js';
import { recoveryCodeEntity } from './mfa.entity.js';

/** Digests of recovery codes in PostgreSQL. */
export class TypeormRecoveryCodeRepository implements RecoveryCodeRepository {
  unused(tx: Tx, personId: PersonId): Promise<readonly UnusedCode[]> {
    return rowsOf(tx, recoveryCodeEntity).find(unusedOf(personId));
  }

  async replace(tx: Tx, personId: PersonId, digests: readonly Uint8Array[], at: number): Promise<void> {
    const codes = rowsOf(tx, recoveryCodeEntity);
    await codes.update(unusedOf(personId), { withdrawnAt: at });
    const facts = { personId, createdAt: at, usedAt: null, withdrawnAt: null };
    await codes.insert(digests.map((digest) => ({ id: v7(), digest, ...facts })));
  }

  async markUsed(tx: Tx, id: string, at: number): Promise<void> {
    await rowsOf(tx, recoveryCodeEntity).update({ id }, { usedAt: at });
  }
}

const unusedOf = (personId: PersonId) => ({ personId, usedAt: IsNull(), withdrawnAt: IsNull() });
