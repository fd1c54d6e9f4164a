import { z } from 'zod';
import { decisionMonthsAway } from '#lib/audit';
import { automationEntity } from '#lib/automation';
import { sqlOf } from '#lib/database';
import { decisionSchema } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { decisionEntity } from '#lib/policy';
import { POLICY_INPUTS, type Entrypoint } from '#lib/policy-inputs';
import { sessionEntity } from '#lib/session';
import type { LogPeriod, StoredDecisions } from '../application/impact.ports.js';
import type { Stratum } from '../domain/strata.js';
import type { MalformedDecision, LocatedDecision } from '../domain/located-decision.js';

const DECISION = decisionEntity.as('decision');
const ONE = decisionEntity.as('one');
const PLAN = planEntity.as('plan');
const SESSION = sessionEntity.as('session');
const AUTOMATION = automationEntity.as('automation');

const DECISION_ROW = decisionEntity.pick(
  'id',
  'entrypoint',
  'outcome',
  'inputDigest',
  'decidedAt',
  'subjectType',
  'subjectId',
);

interface DecisionRow {
  /** The documents as they are: one that no schema reads is counted as malformed. */
  readonly input: unknown;
  readonly result: unknown;
  readonly within: unknown;
  readonly agent: string | null;
}

/** The id of the thing of a type in which a decision was taken. Null if there is none, or if it is no id. */
const withinOf = (type: string): string => {
  const id = `jsonb_path_query_first(${ONE.within}, '$[*] ? (@.type == "${type}").id') #>> '{}'`;
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
      `select ${DECISION.entrypoint} as entrypoint, ${DECISION.outcome} as outcome, count(*)::integer as total from decision
        where tenant_id = $1 and ${DECISION.id} >= ${firstId(2)} and ${DECISION.id} < ${firstId(3)}
        group by ${DECISION.entrypoint}, ${DECISION.outcome} order by ${DECISION.entrypoint}, ${DECISION.outcome}`,
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
      `select ${DECISION_ROW.columns('one')}, ${ONE.input} as input, ${ONE.result} as result, ${ONE.within} as within,
              coalesce(case when ${ONE.input} #>> '{actor,kind}' = 'agent' then ${ONE.input} #>> '{actor,id}' end,
                       ${PLAN.agentId}::text, ${SESSION.agentId}::text, ${AUTOMATION.agentId}::text) as agent
         from decision one
         left join plan on plan.tenant_id = $1 and ${PLAN.id} = ${withinOf('plan')}
         left join session on session.tenant_id = $1 and ${SESSION.id} = ${withinOf('session')}
         left join automation on automation.tenant_id = $1 and ${AUTOMATION.id} = ${withinOf('automation')}
         join jsonb_to_recordset($5::jsonb) as stratum (entrypoint text, outcome text, part double precision)
           on stratum.entrypoint = ${ONE.entrypoint} and stratum.outcome = ${ONE.outcome}
        where one.tenant_id = $1 and ${ONE.id} >= ${firstId(2)} and ${ONE.id} < ${firstId(3)}
          and ($4::uuid is null or ${ONE.id} > $4::uuid)
          and (stratum.part >= 1 or ('x' || left(md5(${ONE.id}::text), 8))::bit(32)::bigint < stratum.part * 4294967296)
        order by ${ONE.id} limit $6`,
      [tx.tenantId, since, until, after, JSON.stringify(strata), limit],
    );
    return rows.map(located);
  }
}

function located(row: DecisionRow): LocatedDecision | MalformedDecision {
  const { id, decidedAt, outcome, inputDigest, subjectType, subjectId, agent, ...unread } = DECISION_ROW.row(row);
  const [stored, within] = [storedSchema.safeParse(unread), withinSchema.safeParse(unread.within)];
  const subject = { type: subjectType, id: subjectId };
  const known = { id, decidedAt, agent, subject, within: within.data ?? [] };
  if (!stored.success || !within.success)
    return { ...known, malformed: true, entrypoint: unread.entrypoint, decision: { outcome } };
  const { entrypoint, input, result: decision } = stored.data;
  return { ...known, entrypoint, input, inputDigest, decision };
}
