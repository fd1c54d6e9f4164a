import { sqlOf, type SystemQuery } from '#lib/database';
import { signedInAtOf, type StoredSignIn } from '#lib/identity';
import type { PersonId, TenantId, Tx } from '#lib/kernel';
import type { SignInStanding, SignInStandings } from '../application/sign-in.ports.js';
import { DEFAULT_REAUTHENTICATE_AFTER_MINUTES } from '../domain/issuer.js';
import { DEFAULT_DORMANT_AFTER_DAYS } from '../domain/passkey-way.js';

interface StandingRow {
  readonly now: Date;
  readonly signed_in_at: StoredSignIn;
  readonly came_in_at: Date | null;
  readonly at_issuer: boolean;
  readonly reauthenticate_after_minutes: number | null;
  readonly dormant_after_days: number | null;
}

/** Function sign_in_standing. */
export class SqlSignInStandings implements SignInStandings {
  constructor(private readonly system: Pick<SystemQuery, 'read'>) {}

  async read(tenantId: TenantId, personId: PersonId): Promise<SignInStanding | null> {
    return standingOf(await this.system.read<StandingRow>('sign_in_standing', tenantId, personId));
  }

  async readWithin(tx: Tx, personId: PersonId): Promise<SignInStanding | null> {
    return standingOf(
      await sqlOf(tx).query<StandingRow>('select * from sign_in_standing($1, $2)', [tx.tenantId, personId]),
    );
  }
}

function standingOf([row]: readonly StandingRow[]): SignInStanding | null {
  if (row === undefined) return null;
  return {
    now: row.now.getTime(),
    signedInAt: signedInAtOf(row.signed_in_at),
    cameInAt: row.came_in_at?.getTime() ?? null,
    atIssuer: row.at_issuer,
    reauthenticateAfterMinutes: row.reauthenticate_after_minutes ?? DEFAULT_REAUTHENTICATE_AFTER_MINUTES,
    dormantAfterDays: row.dormant_after_days ?? DEFAULT_DORMANT_AFTER_DAYS,
  };
}
