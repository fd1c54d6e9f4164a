import { sqlOf, type SystemQuery } from '#lib/database';
import type { PersonId, RowSeals, TenantId, Tx } from '#lib/kernel';
import type {
  BootstrapTokenRepository,
  Enrolment,
  EnrolmentMaker,
  EnrolmentRepository,
  OpenInvitation,
  UsedEnrolment,
} from '../application/identity.ports.js';
import type { EnrolmentChannel } from '../domain/seats.js';
import { epochMs, toEpochMs, toEpochMsOrNull } from './epoch-ms.js';
import { sealedEnrolment } from './sealed-ways-in.js';

export class PostgresEnrolmentRepository implements EnrolmentRepository {
  readonly #system: SystemQuery;
  readonly #seals: RowSeals;

  constructor(system: SystemQuery, seals: RowSeals) {
    this.#system = system;
    this.#seals = seals;
  }

  async insert(
    tx: Tx,
    enrolment: EnrolmentMaker & { id: string; personId: PersonId; digest: Uint8Array; expiresAt: number },
  ): Promise<void> {
    await this.voidUnused(tx, enrolment.personId);
    await sqlOf(tx).execute(
      `insert into enrolment (tenant_id, id, person_id, token_digest, created_at, created_by, channel, expires_at, seal)
       values ($1, $2, $3, $4, clock_timestamp(), $5, $6, to_timestamp($7::bigint / 1000.0), $8)`,
      [
        tx.tenantId,
        enrolment.id,
        enrolment.personId,
        enrolment.digest,
        enrolment.createdBy,
        enrolment.channel,
        enrolment.expiresAt,
        await this.#seals.seal(sealedEnrolment(tx.tenantId, enrolment)),
      ],
    );
  }

  async locate(digests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null> {
    for (const digest of digests) {
      const [row] = await this.#system.call('enrolment_by_digest', digest);
      if (row !== undefined) return row;
    }
    return null;
  }

  async lock(tx: Tx, id: string): Promise<Enrolment | null> {
    const [row] = await sqlOf(tx).query<{
      person_id: PersonId;
      channel: EnrolmentChannel;
      expires_at: string;
      used_at: string | null;
      voided_at: string | null;
    }>(
      `select person_id, channel, ${epochMs('expires_at')} as expires_at, ${epochMs('used_at')} as used_at,
         ${epochMs('voided_at')} as voided_at
         from enrolment where tenant_id = $1 and id = $2 for update`,
      [tx.tenantId, id],
    );
    if (row === undefined) return null;
    return {
      id,
      personId: row.person_id,
      channel: row.channel,
      expiresAt: toEpochMs(row.expires_at),
      usedAt: toEpochMsOrNull(row.used_at),
      voidedAt: toEpochMsOrNull(row.voided_at),
    };
  }

  async markUsed(tx: Tx, id: string): Promise<void> {
    await sqlOf(tx).execute('update enrolment set used_at = clock_timestamp() where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
    ]);
  }

  voidUnused(tx: Tx, personId: PersonId): Promise<number> {
    return sqlOf(tx).execute(
      `update enrolment set voided_at = clock_timestamp()
        where tenant_id = $1 and person_id = $2 and used_at is null and voided_at is null`,
      [tx.tenantId, personId],
    );
  }

  async listOpen(tx: Tx): Promise<readonly OpenInvitation[]> {
    const rows = await sqlOf(tx).query<{
      readonly person_id: PersonId;
      readonly display_name: string;
      readonly email: string;
      readonly channel: EnrolmentChannel;
      readonly created_by: PersonId | null;
      readonly author: string | null;
      readonly created_at: string;
      readonly expires_at: string;
    }>(
      `select enrolment.person_id, person.display_name, person.email, enrolment.channel, enrolment.created_by,
         author.display_name as author, ${epochMs('enrolment.created_at')} as created_at, ${epochMs('enrolment.expires_at')} as expires_at
         from enrolment
         join person on person.tenant_id = enrolment.tenant_id and person.id = enrolment.person_id and person.disabled_at is null
         left join person author on author.tenant_id = enrolment.tenant_id and author.id = enrolment.created_by
        where enrolment.tenant_id = $1 and enrolment.used_at is null and enrolment.voided_at is null
          and enrolment.expires_at > clock_timestamp()
        order by enrolment.created_at desc limit 500`,
      [tx.tenantId],
    );
    return rows.map((row) => ({
      person: { id: row.person_id, displayName: row.display_name, email: row.email },
      channel: row.channel,
      invitedBy:
        row.created_by === null ? null : { personId: row.created_by, displayName: row.author ?? row.created_by },
      createdAt: toEpochMs(row.created_at),
      expiresAt: toEpochMs(row.expires_at),
    }));
  }

  async hasFactors(tx: Tx, personId: PersonId): Promise<boolean> {
    const rows = await sqlOf(tx).query(
      `select from factor where tenant_id = $1 and person_id = $2 and state = 'active' limit 1`,
      [tx.tenantId, personId],
    );
    return rows.length > 0;
  }

  async lastUsed(tx: Tx, personId: PersonId): Promise<UsedEnrolment | null> {
    const [row] = await sqlOf(tx).query<{
      readonly channel: EnrolmentChannel;
      readonly created_by: PersonId | null;
      readonly display_name: string | null;
      readonly used_at: string;
    }>(
      `select enrolment.channel, enrolment.created_by, case when author.id is not null then countersign_shown_name(author) end as display_name, ${epochMs('enrolment.used_at')} as used_at
         from enrolment
         left join person author on author.tenant_id = enrolment.tenant_id and author.id = enrolment.created_by
        where enrolment.tenant_id = $1 and enrolment.person_id = $2 and enrolment.used_at is not null
        order by enrolment.used_at desc limit 1`,
      [tx.tenantId, personId],
    );
    if (row === undefined) return null;
    const createdBy =
      row.created_by === null ? null : { personId: row.created_by, displayName: row.display_name ?? row.created_by };
    return { channel: row.channel, createdBy, usedAt: toEpochMs(row.used_at) };
  }
}

export class PostgresBootstrapTokenRepository implements BootstrapTokenRepository {
  async insert(tx: Tx, token: { digest: Uint8Array; lifetimeMs: number }): Promise<number> {
    const [row] = await sqlOf(tx).query<{ expires_at: string }>(
      `insert into bootstrap_token (token_digest, created_at, expires_at)
       select $1, clock.now, clock.now + $2 * interval '1 millisecond' from (select clock_timestamp() as now) clock
       returning ${epochMs('expires_at')} as expires_at`,
      [token.digest, token.lifetimeMs],
    );
    if (row === undefined) throw new Error('the bootstrap token was not stored');
    return toEpochMs(row.expires_at);
  }

  async use(tx: Tx, digests: readonly Uint8Array[]): Promise<boolean> {
    const used = await sqlOf(tx).execute(
      `update bootstrap_token set used_at = clock_timestamp()
        where token_digest = any ($1::bytea[]) and used_at is null and expires_at > clock_timestamp()`,
      [digests],
    );
    return used === 1;
  }
}
