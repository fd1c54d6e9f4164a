import { IsNull } from 'typeorm';
import { DATABASE_CLOCK, rowsOf, sqlOf, type SystemQuery } from '#lib/database';
import type { PersonId, RowSeals, TenantId, Tx } from '#lib/kernel';
import type {
  Enrolment,
  EnrolmentMaker,
  EnrolmentRepository,
  OpenInvitation,
  UsedEnrolment,
} from '../application/identity.ports.js';
import { enrolmentEntity, personEntity } from './identity.entity.js';
import { sealedEnrolment } from './sealed-ways-in.js';

const PERSON = personEntity.as('person');
const AUTHOR = personEntity.as('author');
const ENROLMENT = enrolmentEntity.as('enrolment');

/** Enrolments in PostgreSQL, each with its seal. */
export class SqlEnrolmentRepository implements EnrolmentRepository {
  readonly #system: SystemQuery;
  readonly #seals: RowSeals;

  constructor(system: SystemQuery, seals: RowSeals) {
    this.#system = system;
    this.#seals = seals;
  }

  async insert(
    tx: Tx,
    {
      digest: tokenDigest,
      ...enrolment
    }: EnrolmentMaker & { id: string; personId: PersonId; digest: Uint8Array; expiresAt: number },
  ): Promise<void> {
    await this.voidUnused(tx, enrolment.personId);
    const seal = await this.#seals.seal(sealedEnrolment(tx.tenantId, enrolment));
    const fresh = { createdAt: DATABASE_CLOCK, usedAt: null, voidedAt: null };
    await rowsOf(tx, enrolmentEntity).insert({ ...enrolment, ...fresh, tokenDigest, seal });
  }

  async locate(digests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null> {
    for (const digest of digests) {
      const [row] = await this.#system.call('enrolment_by_digest', digest);
      if (row !== undefined) return row;
    }
    return null;
  }

  async lock(tx: Tx, id: string): Promise<Enrolment | null> {
    const row = await rowsOf(tx, enrolmentEntity).findOne({ id }, { lock: 'update' });
    if (row === null) return null;
    const { personId, channel, expiresAt, usedAt, voidedAt } = row;
    return { id, personId, channel, expiresAt, usedAt, voidedAt };
  }

  async markUsed(tx: Tx, id: string): Promise<void> {
    await rowsOf(tx, enrolmentEntity).update({ id }, { usedAt: DATABASE_CLOCK });
  }

  voidUnused(tx: Tx, personId: PersonId): Promise<number> {
    const unused = { personId, usedAt: IsNull(), voidedAt: IsNull() };
    return rowsOf(tx, enrolmentEntity).update(unused, { voidedAt: DATABASE_CLOCK });
  }

  async listOpen(tx: Tx): Promise<readonly OpenInvitation[]> {
    const open = enrolmentEntity.pick('personId', 'channel', 'createdBy', 'createdAt', 'expiresAt');
    const rows = await sqlOf(tx).query<{
      readonly display_name: string;
      readonly email: string;
      readonly author: string | null;
    }>(
      `select ${open.columns('enrolment')}, ${PERSON.displayName} as display_name, ${PERSON.email} as email, ${AUTHOR.displayName} as author
         from enrolment
         join person on person.tenant_id = enrolment.tenant_id and ${PERSON.id} = ${ENROLMENT.personId} and ${PERSON.disabledAt} is null
         left join person author on author.tenant_id = enrolment.tenant_id and ${AUTHOR.id} = ${ENROLMENT.createdBy}
        where enrolment.tenant_id = $1 and ${ENROLMENT.usedAt} is null and ${ENROLMENT.voidedAt} is null
          and ${ENROLMENT.expiresAt} > clock_timestamp()
        order by ${ENROLMENT.createdAt} desc limit 500`,
      [tx.tenantId],
    );
    return rows.map((stored) => {
      const { personId, channel, createdBy, createdAt, expiresAt, display_name, email, author } = open.row(stored);
      return {
        person: { id: personId, displayName: display_name, email },
        channel,
        invitedBy: createdBy === null ? null : { personId: createdBy, displayName: author ?? createdBy },
        createdAt,
        expiresAt,
      };
    });
  }

  async hasFactors(tx: Tx, personId: PersonId): Promise<boolean> {
    const rows = await sqlOf(tx).query(
      `select from factor where tenant_id = $1 and person_id = $2 and state = 'active' limit 1`,
      [tx.tenantId, personId],
    );
    return rows.length > 0;
  }

  async lastUsed(tx: Tx, personId: PersonId): Promise<UsedEnrolment | null> {
    const used = enrolmentEntity.pick('id', 'channel', 'createdBy', 'usedAt', 'seal');
    const rows = await sqlOf(tx).query<{ readonly display_name: string | null }>(
      `select ${used.columns('enrolment')}, case when ${AUTHOR.id} is not null then countersign_shown_name(author) end as display_name
         from enrolment
         left join person author on author.tenant_id = enrolment.tenant_id and ${AUTHOR.id} = ${ENROLMENT.createdBy}
        where enrolment.tenant_id = $1 and ${ENROLMENT.personId} = $2 and ${ENROLMENT.usedAt} is not null
        order by ${ENROLMENT.usedAt} desc`,
      [tx.tenantId, personId],
    );
    for (const stored of rows) {
      const { id, channel, createdBy: by, usedAt, seal, display_name } = used.row(stored);
      if (usedAt === null) throw new Error('the enrolment was not used');
      const row = sealedEnrolment(tx.tenantId, { id, personId, channel, createdBy: by });
      if (!(await this.#seals.holds(row, seal))) continue;
      return { channel, createdBy: by === null ? null : { personId: by, displayName: display_name ?? by }, usedAt };
    }
    return null;
  }
}
