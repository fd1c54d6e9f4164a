import { sqlOf } from '#lib/database';
import { cosine, type VectorsWanted, type WantedText } from '#lib/embedder';
import type { Tx } from '#lib/kernel';
import type { Meaning, PrecedentMeanings } from '../application/meaning.ports.js';
import type { SearchingAgent } from '../application/precedent.ports.js';
import type { RankedPrecedent } from '../domain/fuse-rankings.js';
import { projectVector } from '../domain/project-vector.js';
import { precedentEntity, precedentVectorEntity } from './precedent.entity.js';
import { MAX_RANKED, NEWEST } from './sql-precedent-rankings.js';

const PRECEDENT = precedentEntity.as('precedent');
const MADE = precedentVectorEntity.as('made');
const COLUMN = precedentVectorEntity.column;
const PRECEDENT_VECTOR = precedentVectorEntity.as('precedent_vector');
const KEPT = precedentVectorEntity.as('kept');

/** The number of the nearest points that are compared exactly. */
const COMPARED = 200;

const VECTOR = precedentVectorEntity.pick('precedentId', 'exact');

/** The id before the first precedent that a search looks at. $1 tenant. */
const SINCE = `coalesce((select ${PRECEDENT.id} from precedent where tenant_id = $1 order by ${PRECEDENT.id} desc offset ${String(NEWEST)} limit 1),
                        '00000000-0000-0000-0000-000000000000')`;

/** $2 generation. */
const WAITING = `
    from precedent
   where precedent.tenant_id = $1 and ${PRECEDENT.id} > ${SINCE} and ${PRECEDENT.goal} <> ''
     and not exists (select from precedent_vector made
                      where made.tenant_id = $1 and ${MADE.precedentId} = ${PRECEDENT.id} and ${MADE.generation} = $2)`;

/** $3 how many. */
const WITHOUT = `select ${PRECEDENT.id}, ${PRECEDENT.goal} as text ${WAITING} order by ${PRECEDENT.id} desc limit $3`;

/** $3 where it ends. */
const COUNT = `select count(*)::integer as waiting from (select ${WAITING} limit $3) missing`;

/** A precedent that is written or erased at the moment is left for the next look: nobody waits. $2 id, $3 text. */
const KEEP = `
  insert into precedent_vector (tenant_id, ${COLUMN.precedentId}, ${COLUMN.agentId}, ${COLUMN.generation}, ${COLUMN.exact}, point)
  select tenant_id, ${PRECEDENT.id}, case when ${PRECEDENT.goalIsOwn} then ${PRECEDENT.agentId} end, $4, $5, precedent_point($6::float8[])
    from precedent
   where tenant_id = $1 and ${PRECEDENT.id} = $2 and ${PRECEDENT.goal} = $3
     for share skip locked
  on conflict (tenant_id, ${COLUMN.precedentId})
  do update set ${COLUMN.generation} = excluded.${COLUMN.generation}, ${COLUMN.exact} = excluded.${COLUMN.exact}, point = excluded.point`;

/** The most unused vectors that one statement erases: more than one request writes, so that they do not gather. */
const FORGOTTEN = 100;

/** Vectors of precedents that no search looks at any more. One that is erased at the moment goes anyway. */
const FORGET = `
  delete from precedent_vector
   where tenant_id = $1 and ${PRECEDENT_VECTOR.precedentId} in (
     select ${PRECEDENT_VECTOR.precedentId} from precedent_vector where tenant_id = $1 and ${PRECEDENT_VECTOR.precedentId} <= ${SINCE}
      order by ${PRECEDENT_VECTOR.precedentId} limit ${String(FORGOTTEN)} for update skip locked)`;

/** The nearest points by their distance: of vectors of length 1, the nearest has the greatest cosine. $2 generation, $3 point. */
const NEAREST = `
  with asked as materialized (select precedent_point($3::float8[]) as point, ${SINCE} as since)
  select ${VECTOR.columns('kept')}
    from precedent_vector kept cross join asked
   where kept.tenant_id = $1 and ${KEPT.precedentId} > asked.since and ${KEPT.generation} = $2 and kept.point is not null
     and ($4::uuid is null or ${KEPT.agentId} = $4) and ${KEPT.precedentId} is distinct from $5::uuid
   order by kept.point <-> asked.point, ${KEPT.precedentId} desc
   limit ${String(COMPARED)}`;

/**
 * Vectors in PostgreSQL. A scan over the points of the tenant finds the few that are compared exactly. An index over so
 * many dimensions would read nearly all of them, too.
 */
export class SqlPrecedentVectors implements PrecedentMeanings, VectorsWanted {
  without(tx: Tx, generation: number, most: number): Promise<readonly WantedText[]> {
    return sqlOf(tx).query(WITHOUT, [tx.tenantId, generation, most]);
  }

  async countWithout(tx: Tx, generation: number, most: number): Promise<number> {
    const [counted] = await sqlOf(tx).query<{ waiting: number }>(COUNT, [tx.tenantId, generation, most]);
    return counted?.waiting ?? 0;
  }

  async keep(
    tx: Tx,
    generation: number,
    texts: readonly WantedText[],
    vectors: readonly (Float32Array | null)[],
  ): Promise<void> {
    for (const [at, { id, text }] of texts.entries()) {
      const vector = vectors[at] ?? null;
      const kept = vector === null ? [null, null] : [bytesOf(vector), projectVector(vector)];
      await sqlOf(tx).execute(KEEP, [tx.tenantId, id, text, generation, ...kept]);
    }
    await sqlOf(tx).execute(FORGET, [tx.tenantId]);
  }

  async alike(
    tx: Tx,
    { generation, vector, least }: Meaning,
    except: string | null,
    by: SearchingAgent,
  ): Promise<readonly RankedPrecedent[]> {
    const asked = [tx.tenantId, generation, projectVector(vector), by, except];
    const rows = await sqlOf(tx).query<object>(NEAREST, asked);
    return rows
      .map((row) => VECTOR.row(row))
      .flatMap(({ precedentId: id, exact }) =>
        exact === null ? [] : [{ id, likeness: cosine(vector, vectorOf(exact)) }],
      )
      .filter(({ likeness }) => likeness >= least)
      .sort((one, other) => other.likeness - one.likeness || (one.id < other.id ? 1 : -1))
      .slice(0, MAX_RANKED)
      .map(({ id }, index) => ({ id, rank: index + 1 }));
  }
}

const bytesOf = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);

/** Bytes of the driver begin anywhere, and numbers at multiples of four. */
const vectorOf = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);
