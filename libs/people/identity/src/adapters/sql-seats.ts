import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import { newId, type PersonId, type RowSeals, type Tx } from '#lib/kernel';
import type { Seats } from '../application/identity.ports.js';
import { standingsIn, type EnrolmentChannel, type KnownBy, type Standing } from '../domain/seats.js';
import { enrolmentEntity, personEntity, personVouchEntity } from './identity.entity.js';
import { sealedEnrolment, sealedIdentity, sealedStanding, sealedVouch } from './sealed-ways-in.js';

const HAND = personEntity.as('hand');
const PERSON = personEntity.as('person');
const OTHER = personEntity.as('other');
const ENROLMENT = enrolmentEntity.as('enrolment');
const PERSON_VOUCH = personVouchEntity.as('person_vouch');

interface Shown {
  readonly person_id: PersonId;
  readonly by: PersonId | null;
  readonly hand: PersonId | null;
  readonly issuer: string | null;
  readonly at: Date;
  readonly since: Date;
  readonly hand_at: Date | null;
  /** Whether it was mailed to a mailbox of its sender, or of an earlier person. */
  readonly others_mailbox: boolean;
  readonly id: string;
  readonly seal: string;
  /** Null for every basis but an issuer's. */
  readonly issuer_id: string | null;
  readonly subject: string | null;
  readonly standing_id: string | null;
  readonly standing_how: string | null;
  readonly standing_by: PersonId | null;
  readonly standing_seal: string | null;
}

type WayInRow = Shown &
  (
    | { readonly kind: 'enrolment'; readonly way: EnrolmentChannel }
    | { readonly kind: 'vouch'; readonly way: 'vouched' }
    | { readonly kind: 'identity'; readonly way: 'alone' | 'two_people' | 'confirmed' | null }
  );

/** Every way by which these people came in, and all that was said of them, in one query. */
const WAYS_IN = `
  select way.person_id, way.way, way.by, way.hand, way.issuer, way.at, way.since, way.hand_at,
         way.way = 'mailed' and (${HAND.id} is null or countersign_mailbox(${HAND.email}) = countersign_mailbox(${PERSON.email}) or exists (
           select from person other
            where other.tenant_id = $1 and ${OTHER.id} <> ${PERSON.id}
              and countersign_mailbox(${OTHER.email}) = countersign_mailbox(${PERSON.email})
              and (${OTHER.createdAt}, ${OTHER.id}) < (${PERSON.createdAt}, ${PERSON.id}))) as others_mailbox,
         way.kind, way.id, way.seal, way.issuer_id, way.subject,
         way.standing_id, way.standing_how, way.standing_by, way.standing_seal
    from (
      select tenant_id, ${ENROLMENT.personId} as person_id, ${ENROLMENT.channel} as way, ${ENROLMENT.createdBy} as by,
        ${ENROLMENT.createdBy} as hand,
        null::text as issuer, ${ENROLMENT.usedAt} as at, ${ENROLMENT.usedAt} as since, ${ENROLMENT.createdAt} as hand_at,
             'enrolment' as kind, ${ENROLMENT.id}, ${ENROLMENT.seal} as seal, null::uuid as issuer_id, null::text as subject,
             null::uuid as standing_id, null::text as standing_how, null::uuid as standing_by, null::text as standing_seal
        from enrolment where tenant_id = $1 and ${ENROLMENT.personId} = any ($2::uuid[]) and ${ENROLMENT.usedAt} is not null
      union all
      select tenant_id, ${PERSON_VOUCH.personId}, 'vouched', ${PERSON_VOUCH.vouchedBy}, null, null, ${PERSON_VOUCH.vouchedAt},
        ${PERSON_VOUCH.vouchedAt}, null,
             'vouch', ${PERSON_VOUCH.id}, ${PERSON_VOUCH.seal}, null, null, null, null, null, null
        from person_vouch where tenant_id = $1 and ${PERSON_VOUCH.personId} = any ($2::uuid[])
      union all
      select known.tenant_id, known.person_id, case when issuer.disabled_at is null then standing.how end, standing.person_id, put.person_id, issuer.display_name,
             case when standing.how = 'alone' then greatest(known.created_at, standing.since) else known.created_at end,
             greatest(known.created_at, coalesce(standing.since, known.created_at)), put.since,
             'identity', known.id, known.seal, known.issuer_id, known.subject,
             standing.id, standing.how, standing.person_id, standing.seal
        from external_identity known
        join issuer on issuer.tenant_id = known.tenant_id and issuer.id = known.issuer_id
        left join lateral (select * from issuer_standing s where s.tenant_id = known.tenant_id and s.issuer_id = known.issuer_id
                            order by s.since desc, s.id desc limit 1) standing on true
        left join lateral (select * from issuer_standing s where s.tenant_id = known.tenant_id and s.issuer_id = known.issuer_id
                              and s.how = 'alone' order by s.since desc, s.id desc limit 1) put on true
       where known.tenant_id = $1 and known.person_id = any ($2::uuid[])
    ) way
    join person on person.tenant_id = way.tenant_id and ${PERSON.id} = way.person_id
    left join person hand on hand.tenant_id = way.tenant_id and ${HAND.id} = way.hand
   order by way.person_id, way.at, way.way`;

/**
 * The standing of people, read from the ways they came in. A row that Countersign did not write is reported, and makes no
 * person known.
 */
export class SqlSeats implements Seats {
  constructor(private readonly seals: RowSeals) {}

  async standingOf(tx: Tx, ids: readonly PersonId[], before?: number): Promise<ReadonlyMap<PersonId, Standing>> {
    return standingsIn([...new Set(ids)], await this.waysIn(tx, ids), before);
  }

  async waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>> {
    const knownBy = new Map<PersonId, readonly KnownBy[]>();
    for (let next: readonly PersonId[] = [...new Set(ids)]; next.length > 0;) {
      const found = await this.#knownBy(tx, next);
      for (const id of next) knownBy.set(id, found.get(id) ?? []);
      // Their hands, and in the next round the hands of those.
      next = [...new Set([...found.values()].flat().flatMap(({ hand }) => hand ?? []))].filter(
        (id) => !knownBy.has(id),
      );
    }
    return knownBy;
  }

  async keepVouch(tx: Tx, vouch: { readonly personId: PersonId; readonly vouchedBy: PersonId }): Promise<void> {
    const id = newId();
    const seal = await this.seals.seal(sealedVouch(tx.tenantId, { id, ...vouch }));
    await rowsOf(tx, personVouchEntity).insert({ id, ...vouch, vouchedAt: DATABASE_CLOCK, seal });
  }

  async #knownBy(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, KnownBy[]>> {
    const rows = await sqlOf(tx).query<WayInRow>(WAYS_IN, [tx.tenantId, ids]);
    const found = new Map<PersonId, KnownBy[]>();
    for (const row of rows) {
      const authentic = await this.#authentic(tx, row);
      // A changed row of a link proves nothing, but its hand goes on sharing the seat. A change to the row frees no
      // person of it.
      if (!authentic && (row.kind !== 'enrolment' || row.hand === null)) continue;
      const said = toKnownBy(row);
      const one = authentic ? said : { ...said, hand: row.hand, counts: false };
      found.set(row.person_id, [...(found.get(row.person_id) ?? []), one]);
    }
    return found;
  }

  async #authentic({ tenantId }: Tx, row: WayInRow): Promise<boolean> {
    const { id, person_id: personId, by } = row;
    switch (row.kind) {
      case 'enrolment':
        return this.seals.holds(sealedEnrolment(tenantId, { id, personId, channel: row.way, createdBy: by }), row.seal);
      case 'vouch':
        return this.seals.holds(sealedVouch(tenantId, { id, personId, vouchedBy: by }), row.seal);
      case 'identity': {
        const { issuer_id: issuerId, subject, standing_id: standing, standing_how: how } = row;
        if (issuerId === null || subject === null) return false;
        const known = sealedIdentity(tenantId, { id, issuerId, subject, personId });
        if (!(await this.seals.holds(known, row.seal))) return false;
        if (standing === null || how === null) return true;
        const put = { id: standing, issuerId, how, personId: row.standing_by };
        return this.seals.holds(sealedStanding(tenantId, put), row.standing_seal);
      }
    }
  }
}

const toKnownBy = (row: WayInRow): KnownBy => {
  const { by, issuer } = row;
  // A person's own issuer makes only other people their hand's.
  const hand = row.hand === row.person_id ? null : row.hand;
  const moment = {
    issuer,
    at: row.at.getTime(),
    since: row.since.getTime(),
    handAt: (row.hand_at ?? row.at).getTime(),
  };
  switch (row.way) {
    case 'bootstrap':
      return { basis: 'founder', by, hand: null, counts: true, ...moment };
    case 'operator':
      return { basis: 'operator', by, hand: null, counts: true, ...moment };
    case 'mailed':
      // For all that it shows, the reader of that mailbox is a person of this tenant already.
      return { basis: 'mailed_invitation', by, hand, counts: !row.others_mailbox, ...moment };
    case 'vouched':
      return { basis: 'vouched', by, hand: null, counts: true, ...moment };
    case 'two_people':
      return { basis: 'issuer', by: null, hand, counts: true, ...moment };
    case 'confirmed':
      return { basis: 'issuer', by, hand, counts: true, ...moment };
    case 'alone':
      return { basis: 'issuer', by, hand, counts: false, ...moment };
    case 'shown':
      return { basis: 'token', by, hand, counts: false, ...moment };
    case null:
      // An issuer that is out of service, or of which nothing is kept, shows nothing.
      return { basis: 'issuer', by: null, hand, counts: false, ...moment };
  }
};
