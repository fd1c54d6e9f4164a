import { z } from 'zod';
import { auditPublicationEntity } from '#lib/audit';
import { autonomyHeadEntity, autonomyRevisionEntity } from '#lib/autonomy';
import { storedId, PLATFORM_ADMIN } from '#lib/formats';
import { parsedValue, sqlOf } from '#lib/database';
import {
  shareSeat,
  agentEntity,
  credentialEntity,
  personEntity,
  roleAssignmentEntity,
  type Seats,
} from '#lib/identity';
import { destinationCheckEntity, incidentSettingEntity } from '#lib/incident';
import type { AgentId, PersonId, Tx } from '#lib/kernel';
import { factorEntity } from '#lib/mfa';
import { stepAttemptEntity } from '#lib/run';
import { externalIdentityEntity } from '#lib/sign-in';
import { simulationEntity } from '#lib/simulation';
import { slackInstallationEntity } from '#lib/slack';
import { environmentEntity } from '#lib/tenancy';
import { executorEntity, toolEntity } from '#lib/tool';
import type { CountedSetUp, SetUpReader } from '../application/report.ports.js';

const TOOL = toolEntity.as('tool');
const ENVIRONMENT = environmentEntity.as('environment');
const EXECUTOR = executorEntity.as('executor');
const STEP_ATTEMPT = stepAttemptEntity.as('step_attempt');
const SIMULATION = simulationEntity.as('simulation');
const AUTONOMY_REVISION = autonomyRevisionEntity.as('autonomy_revision');
const AGENT = agentEntity.as('agent');
const TOKEN = credentialEntity.as('token');
const SLACK_INSTALLATION = slackInstallationEntity.as('slack_installation');
const AUDIT_PUBLICATION = auditPublicationEntity.as('audit_publication');
const SETTING = incidentSettingEntity.as('setting');
const KNOWN_INCIDENT_DESTINATION_CHECK = destinationCheckEntity.as('known');
const REVISION = autonomyRevisionEntity.as('revision');
const HEAD = autonomyHeadEntity.as('head');
const PERSON = personEntity.as('person');
const FACTOR = factorEntity.as('factor');
const HELD = roleAssignmentEntity.as('held');
const KNOWN_EXTERNAL_IDENTITY = externalIdentityEntity.as('known');

interface CountedRow {
  readonly tools: number;
  readonly executors: string[];
  readonly calls: number;
  readonly revision: number | null;
  readonly agents: unknown;
  readonly workspace: string | null;
  readonly elsewhere: boolean;
  readonly destinations: unknown;
  readonly admins: unknown;
}

const agentsSchema = z.array(z.object({ id: storedId<AgentId>(), name: z.string(), token: z.boolean() }));
const destinationsSchema = z.array(z.object({ name: z.string(), answers: z.boolean() }));
const adminsSchema = z.array(z.object({ id: storedId<PersonId>(), name: z.string(), factor: z.boolean() }));

const MAX_CALLS = 10;

/** The state of the set-up, from PostgreSQL in one query, and the seats of the admins. */
export class SqlSetUp implements SetUpReader {
  constructor(private readonly seats: Pick<Seats, 'standingOf'>) {}

  async count(tx: Tx): Promise<CountedSetUp> {
    const [row] = await sqlOf(tx).query<CountedRow>(
      `select
         (select count(*)::integer from tool where tool.tenant_id = $1 and not ${TOOL.removed}) as tools,
         (select coalesce(array_agg(${ENVIRONMENT.name} || '/' || ${EXECUTOR.name} order by ${ENVIRONMENT.name}, ${EXECUTOR.name}), '{}')
            from executor join environment on environment.tenant_id = executor.tenant_id and ${ENVIRONMENT.id} = ${EXECUTOR.environmentId}
           where executor.tenant_id = $1) as executors,
         (select count(*)::integer from (
            select from step_attempt where step_attempt.tenant_id = $1 and ${STEP_ATTEMPT.outcome} = 'succeeded' limit ${String(MAX_CALLS)}
          ) called) + (select count(*)::integer from (
            select from simulation where simulation.tenant_id = $1 and ${SIMULATION.state} in ('succeeded', 'stale')
              limit ${String(MAX_CALLS)}
          ) predicted) as calls,
         (select max(${AUTONOMY_REVISION.number})::integer from autonomy_revision where autonomy_revision.tenant_id = $1) as revision,
         (select coalesce(jsonb_agg(jsonb_build_object('id', ${AGENT.id}, 'name', ${AGENT.name}, 'token', exists (
             select from credential token where token.tenant_id = agent.tenant_id and ${TOKEN.agentId} = ${AGENT.id}
                and ${TOKEN.revokedAt} is null and ${TOKEN.expiresAt} > statement_timestamp()
           )) order by ${AGENT.name}), '[]')
            from agent where agent.tenant_id = $1 and ${AGENT.disabledAt} is null) as agents,
         (select ${SLACK_INSTALLATION.teamName} from slack_installation where slack_installation.tenant_id = $1) as workspace,
         exists (select from audit_publication where audit_publication.tenant_id = $1 and ${AUDIT_PUBLICATION.elsewhere}) as elsewhere,
         (select coalesce(jsonb_agg(jsonb_build_object('name', named.name, 'answers', exists (
             select from incident_setting setting
               cross join jsonb_array_elements_text(${SETTING.destinations} -> named.name) as mapped (address)
               join incident_destination_check known on known.tenant_id = setting.tenant_id
                 and ${KNOWN_INCIDENT_DESTINATION_CHECK.address} = mapped.address
              where setting.tenant_id = $1 and ${KNOWN_INCIDENT_DESTINATION_CHECK.error} is null)) order by named.name), '[]')
            from autonomy_head head
            join autonomy_revision revision on revision.tenant_id = head.tenant_id and ${REVISION.id} = ${HEAD.revisionId}
            cross join jsonb_array_elements_text(${REVISION.document}::jsonb #> '{emergency_override,notifies}') as named (name)
           where head.tenant_id = $1 and ${REVISION.document}::jsonb #> '{emergency_override,enabled}' = 'true') as destinations,
         (select coalesce(jsonb_agg(jsonb_build_object('id', ${PERSON.id}, 'name', ${PERSON.displayName}, 'factor', exists (
             select from factor where factor.tenant_id = person.tenant_id and ${FACTOR.personId} = ${PERSON.id}
               and ${FACTOR.state} = 'active'
           )) order by ${PERSON.createdAt}, ${PERSON.id}), '[]')
            from person
           where person.tenant_id = $1 and ${PERSON.disabledAt} is null
             and exists (select from role_assignment held where held.tenant_id = person.tenant_id and ${HELD.personId} = ${PERSON.id}
                           and ${HELD.role} = $2 and ${HELD.revokedAt} is null)
             and (${PERSON.enrolledAt} is not null or exists (
               select from external_identity known where known.tenant_id = person.tenant_id
                 and ${KNOWN_EXTERNAL_IDENTITY.personId} = ${PERSON.id}))) as admins`,
      [tx.tenantId, PLATFORM_ADMIN],
    );
    if (row === undefined) throw new Error('a query of one row answered none');
    const { calls, revision, workspace, elsewhere, agents, destinations, admins, ...counted } = row;
    return {
      ...counted,
      succeededCalls: calls,
      autonomyRevision: revision,
      slackWorkspace: workspace,
      publishedElsewhere: elsewhere,
      agents: parsedValue(agentsSchema, agents, { question: 'the agents of the set-up' }),
      breakGlassDestinations: parsedValue(destinationsSchema, destinations, {
        question: 'the destinations of break-glass in the set-up',
      }),
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
