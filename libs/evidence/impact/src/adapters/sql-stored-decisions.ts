import { z } from 'zod';
import { decisionMonthsAway } from '#lib/audit';
import { sqlOf } from '#lib/database';
import type { Digest, Tx } from '#lib/kernel';
import { decisionSchema, type Outcome } from '#lib/formats';
import { POLICY_INPUTS, type Entrypoint } from '#lib/policy-inputs';
import type { LogPeriod, StoredDecisions } from '../application/impact.ports.js';
import type { Stratum } from '../domain/strata.js';
import type { MalformedDecision, LocatedDecision } from '../domain/located-decision.js';

interface DecisionRow {
  readonly id: string;
  readonly entrypoint: string;
  readonly outcome: Outcome;
  readonly input: unknown;
  readonly input_digest: Digest;
  readonly result: unknown;
  readonly decided_at: string;
  readonly agent: string | null;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly within: unknown;
}

/** The id of the thing of a type in which a decision was taken; null if there is none, or if it is no id. */
const withinOf = (type: string): string => {
  const id = `jsonb_path_query_first(one.within, '$[*] ? (@.type == "${type}").id') #>> '{}'`;
  return `case when pg_input_is_valid(${id}, 'uuid') then (${id})::uuid end`;
};

const firstId = (parameter: number): string =>
  `countersign_first_id(to_timestamp($${String(parameter)}::double precision / 1000))`;

const entrypointSchema = z.custom<Entrypoint>((name) => typeof name === 'string' && Object.hasOwn(POLICY_INPUTS, name));
const storedSchema = z.object({
  entrypoint: entrypointSchema,
  input: z.record(z.string(), z.unknown()),
  result: decisionSchema,
});
const withinSchema = z.array(z.object({ type: z.string(), id: z.string() }));

/** The log of decisions in PostgreSQL. A period is a range of UUIDv7 ids, so that other months are not read. */
export class SqlStoredDecisions implements StoredDecisions {
  monthsAway(tx: Tx, { since, until }: LogPeriod): Promise<readonly string[]> {
    return decisionMonthsAway(tx, since, until);
  }

  count(tx: Tx, { since, until }: LogPeriod): Promise<readonly Omit<Stratum, 'part'>[]> {
    return sqlOf(tx).query(
      `select entrypoint, outcome, count(*)::integer as total from decision
        where tenant_id = $1 and id >= ${firstId(2)} and id < ${firstId(3)}
        group by entrypoint, outcome order by entrypoint, outcome`,
      [tx.tenantId, since, until],
    );
  }

  async batch(
    tx: Tx,
    { since, until }: LogPeriod,
    {
      after,
      strata,
      limit,
    }: { readonly after: string | null; readonly strata: readonly Stratum[]; readonly limit: number },
  ): Promise<readonly (LocatedDecision | MalformedDecision)[]> {
    const rows = await sqlOf(tx).query<DecisionRow>(
      `select one.id, one.entrypoint, one.outcome, one.input, one.input_digest, one.result, one.subject_type, one.subject_id, one.within,
              (extract(epoch from one.decided_at) * 1000)::bigint as decided_at,
              coalesce(case when one.input #>> '{actor,kind}' = 'agent' then one.input #>> '{actor,id}' end,
                       plan.agent_id::text, session.agent_id::text, automation.agent_id::text) as agent
         from decision one
         left join plan on plan.tenant_id = $1 and plan.id = ${withinOf('plan')}
         left join session on session.tenant_id = $1 and session.id = ${withinOf('session')}
         left join automation on automation.tenant_id = $1 and automation.id = ${withinOf('automation')}
         join jsonb_to_recordset($5::jsonb) as stratum (entrypoint text, outcome text, part double precision)
           on stratum.entrypoint = one.entrypoint and stratum.outcome = one.outcome
        where one.tenant_id = $1 and one.id >= ${firstId(2)} and one.id < ${firstId(3)}
          and ($4::uuid is null or one.id > $4::uuid)
          and (stratum.part >= 1 or ('x' || left(md5(one.id::text), 8))::bit(32)::bigint < stratum.part * 4294967296)
        order by one.id limit $6`,
      [tx.tenantId, since, until, after, JSON.stringify(strata), limit],
    );
    return rows.map(located);
  }
}

function located(row: DecisionRow): LocatedDecision | MalformedDecision {
  const [stored, within] = [storedSchema.safeParse(row), withinSchema.safeParse(row.within)];
  const place = {
    id: row.id,
    decidedAt: Number(row.decided_at),
    agent: row.agent,
    subject: { type: row.subject_type, id: row.subject_id },
    within: within.data ?? [],
  };
  if (!stored.success || !within.success)
    return { ...place, malformed: true, entrypoint: row.entrypoint, decision: { outcome: row.outcome } };
  const { entrypoint, input, result: decision } = stored.data;
  return { ...place, entrypoint, input, inputDigest: row.input_digest, decision };
}
