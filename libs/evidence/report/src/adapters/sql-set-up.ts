import { z } from 'zod';
import { PLATFORM_ADMIN } from '#lib/formats';
import { parsedValue, sqlOf } from '#lib/database';
import { shareSeat, type Seats } from '#lib/identity';
import type { AgentId, PersonId, Tx } from '#lib/kernel';
import type { CountedSetUp, SetUpReader } from '../application/report.ports.js';

interface CountedRow {
  readonly tools: number;
  readonly executors: string[];
  readonly calls: number;
  readonly revision: number | null;
  readonly agents: unknown;
  readonly workspace: string | null;
  readonly elsewhere: boolean;
  readonly told: unknown;
  readonly admins: unknown;
}

const agentsSchema = z.array(
  z.object({ id: z.string().transform((id) => id as AgentId), name: z.string(), token: z.boolean() }),
);
const toldSchema = z.array(z.object({ name: z.string(), answers: z.boolean() }));
const adminsSchema = z.array(
  z.object({ id: z.string().transform((id) => id as PersonId), name: z.string(), factor: z.boolean() }),
);

const MAX_CALLS = 10;

/** The state of the set-up, from PostgreSQL in one query, and the seats of the admins. */
export class SqlSetUp implements SetUpReader {
  constructor(private readonly seats: Pick<Seats, 'standingOf'>) {}

  async count(tx: Tx): Promise<CountedSetUp> {
    const [row] = await sqlOf(tx).query<CountedRow>(
      `select
         (select count(*)::integer from tool where tool.tenant_id = $1 and not tool.removed) as tools,
         (select coalesce(array_agg(environment.name || '/' || executor.name order by environment.name, executor.name), '{}')
            from executor join environment on environment.tenant_id = executor.tenant_id and environment.id = executor.environment_id
           where executor.tenant_id = $1) as executors,
         (select count(*)::integer from (
            select from step_attempt where step_attempt.tenant_id = $1 and step_attempt.outcome = 'succeeded' limit ${String(MAX_CALLS)}
          ) called) + (select count(*)::integer from (
            select from simulation where simulation.tenant_id = $1 and simulation.state in ('succeeded', 'stale') limit ${String(MAX_CALLS)}
          ) predicted) as calls,
         (select max(number)::integer from autonomy_revision where autonomy_revision.tenant_id = $1) as revision,
         (select coalesce(jsonb_agg(jsonb_build_object('id', agent.id, 'name', agent.name, 'token', exists (
             select from credential token where token.tenant_id = agent.tenant_id and token.agent_id = agent.id
                and token.revoked_at is null and token.expires_at > statement_timestamp()
           )) order by agent.name), '[]')
            from agent where agent.tenant_id = $1 and agent.disabled_at is null) as agents,
         (select team_name from slack_installation where slack_installation.tenant_id = $1) as workspace,
         exists (select from audit_publication where audit_publication.tenant_id = $1 and audit_publication.elsewhere) as elsewhere,
         (select coalesce(jsonb_agg(jsonb_build_object('name', named.name, 'answers', exists (
             select from incident_setting setting
               cross join jsonb_array_elements_text(setting.destinations -> named.name) as mapped (address)
               join incident_destination_check known on known.tenant_id = setting.tenant_id and known.address = mapped.address
              where setting.tenant_id = $1 and known.error is null)) order by named.name), '[]')
            from autonomy_head head
            join autonomy_revision revision on revision.tenant_id = head.tenant_id and revision.id = head.revision_id
            cross join jsonb_array_elements_text(revision.document::jsonb #> '{emergency_override,notifies}') as named (name)
           where head.tenant_id = $1 and revision.document::jsonb #> '{emergency_override,enabled}' = 'true') as told,
         (select coalesce(jsonb_agg(jsonb_build_object('id', person.id, 'name', person.display_name, 'factor', exists (
             select from factor where factor.tenant_id = person.tenant_id and factor.person_id = person.id and factor.state = 'active'
           )) order by person.created_at, person.id), '[]')
            from person
           where person.tenant_id = $1 and person.disabled_at is null
             and exists (select from role_assignment held where held.tenant_id = person.tenant_id and held.person_id = person.id
                           and held.role = $2 and held.revoked_at is null)
             and (person.enrolled_at is not null or exists (
               select from external_identity known where known.tenant_id = person.tenant_id and known.person_id = person.id))) as admins`,
      [tx.tenantId, PLATFORM_ADMIN],
    );
    if (row === undefined) throw new Error('a query of one row answered none');
    const { calls, revision, workspace, elsewhere, agents, told, admins, ...counted } = row;
    return {
      ...counted,
      succeededCalls: calls,
      autonomyRevision: revision,
      slackWorkspace: workspace,
      publishedElsewhere: elsewhere,
      agents: parsedValue(agentsSchema, agents, { question: 'the agents of the set-up' }),
      toldOfBreakGlass: parsedValue(toldSchema, told, { question: 'the destinations of break-glass in the set-up' }),
      admins: await this.#withVotes(tx, parsedValue(adminsSchema, admins, { question: 'the admins of the set-up' })),
    };
  }

  async #withVotes(tx: Tx, admins: z.infer<typeof adminsSchema>): Promise<CountedSetUp['admins']> {
    const standing = await this.seats.standingOf(
      tx,
      admins.map(({ id }) => id),
    );
    const seated = admins.map(({ id }) => ({ personId: id, sharedWith: standing.get(id)?.sharedWith ?? [] }));
    return admins.map(({ name, factor }, index) => ({
      name,
      factor,
      vote: seated.findIndex((other) => {
        const mine = seated[index];
        return mine !== undefined && shareSeat(mine, other);
      }),
    }));
  }
}
