import { createHash } from 'node:crypto';
import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { requireSeal, type Actor, type PageRequest, type RowSeals, type SealedRow, type Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import type { AutomationCourse, AutomationRepository, ProposalCount } from '../application/automation.ports.js';
import type { Automation, AutomationRevision } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { automationEntity, automationRevisionEntity } from './automation.entity.js';

const ENVIRONMENT = environmentEntity.as('environment');
const AUTOMATION = automationEntity.as('automation');
const REVISION = automationRevisionEntity.as('revision');
const FIRST = automationRevisionEntity.as('first');

type Row = RowOf<typeof automationEntity>;
type Revision = Pick<RowOf<typeof automationRevisionEntity>, 'source' | 'author' | 'createdAt'>;

/** A row with the name of its environment and its revision in force. */
interface Joined {
  readonly environment: string;
}

const AUTOMATION_ROW = automationEntity.all;
const REVISION_ROW = automationRevisionEntity.pick('source', 'author', 'createdAt');

const SELECT = `select ${AUTOMATION_ROW.columns('automation')}, ${REVISION_ROW.columns('revision')}, ${ENVIRONMENT.name} as environment
  from automation
  join environment on environment.tenant_id = automation.tenant_id and ${ENVIRONMENT.id} = ${AUTOMATION.environmentId}
  join automation_revision revision on revision.tenant_id = automation.tenant_id
                                   and ${REVISION.automationId} = ${AUTOMATION.id} and ${REVISION.number} = ${AUTOMATION.revision}`;

/** Automations in PostgreSQL. The seal covers the digest of the source, so that another source under it is refused, too. */
export class SqlAutomationRepository implements AutomationRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, automation: Automation): Promise<boolean> {
    if (await this.isNameTaken(tx, automation)) return false;
    const seal = await this.seals.seal(sealedAutomation(tx, automation));
    await rowsOf(tx, automationEntity).insert({ ...rowOf(automation), seal });
    return true;
  }

  async addRevision(tx: Tx, id: AutomationId, revision: AutomationRevision): Promise<void> {
    await rowsOf(tx, automationRevisionEntity).insert({ automationId: id, ...revision });
  }

  async source(tx: Tx, automationId: AutomationId, number: number): Promise<string | null> {
    return (await rowsOf(tx, automationRevisionEntity).findOne({ automationId, number }))?.source ?? null;
  }

  find(tx: Tx, id: AutomationId): Promise<Automation | null> {
    return this.#one(tx, id, '');
  }

  lock(tx: Tx, id: AutomationId): Promise<Automation | null> {
    return this.#one(tx, id, 'for no key update of automation');
  }

  async list(tx: Tx, { after, limit }: PageRequest): Promise<readonly Automation[]> {
    const rows = await sqlOf(tx).query<Joined>(
      `${SELECT} where automation.tenant_id = $1
         and ($2::timestamptz is null or (${AUTOMATION.proposedAt}, ${AUTOMATION.id}) < ($2, $3::uuid))
       order by ${AUTOMATION.proposedAt} desc, ${AUTOMATION.id} desc limit $4`,
      [tx.tenantId, after && new Date(after.at), after?.id ?? null, limit],
    );
    return this.#allAuthentic(tx, rows);
  }

  enabled(tx: Tx): Promise<readonly Automation[]> {
    return this.#enabled(tx, '');
  }

  listening(tx: Tx): Promise<readonly Automation[]> {
    return this.#enabled(tx, `and ${AUTOMATION.listensFrom} is not null`);
  }

  async lockFollowing(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.automation_following:${tx.tenantId}`);
  }

  async isNameTaken(tx: Tx, { id, name }: Pick<Automation, 'id' | 'name'>): Promise<boolean> {
    await lockProposals(tx);
    const rows = await sqlOf(tx).query(
      `select 1 from automation
        where tenant_id = $1 and ${AUTOMATION.name} = $2 and ${AUTOMATION.id} <> $3 and (${AUTOMATION.state} <> 'disabled'
          or ${AUTOMATION.agentId} is not null)`,
      [tx.tenantId, name, id],
    );
    return rows.length > 0;
  }

  async countProposed(tx: Tx, { id: by }: Pick<Actor, 'id'>, since: number): Promise<ProposalCount> {
    await lockProposals(tx);
    const [row] = await sqlOf(tx).query<ProposalCount>(
      `select count(*) filter (where ${AUTOMATION.state} = 'proposed')::integer as all,
              count(*) filter (where ${AUTOMATION.state} = 'proposed' and ${FIRST.author} ->> 'id' = $2)::integer as own,
              count(*) filter (where ${AUTOMATION.proposedAt} > $3 and ${FIRST.author} ->> 'id' = $2)::integer as recent
         from automation
         left join automation_revision first
           on first.tenant_id = automation.tenant_id and ${FIRST.automationId} = ${AUTOMATION.id} and ${FIRST.number} = 1
        where automation.tenant_id = $1 and (${AUTOMATION.state} = 'proposed' or ${AUTOMATION.proposedAt} > $3)`,
      [tx.tenantId, by, new Date(since)],
    );
    return row ?? { all: 0, own: 0, recent: 0 };
  }

  async proposer(tx: Tx, automationId: AutomationId): Promise<Actor | null> {
    return (await rowsOf(tx, automationRevisionEntity).findOne({ automationId, number: 1 }))?.author ?? null;
  }

  async save(tx: Tx, automation: Automation): Promise<void> {
    const seal = await this.seals.seal(sealedAutomation(tx, automation));
    const {
      id,
      name: _name,
      proposedAt: _at,
      failures: _failures,
      lookedUntil: _until,
      nextAt: _next,
      listensFrom: _from,
      ...changes
    } = rowOf(automation);
    await rowsOf(tx, automationEntity).update({ id }, { ...changes, seal });
  }

  async saveCourse(tx: Tx, { id, failures, lookedUntil, nextAt, listensFrom }: AutomationCourse): Promise<void> {
    await rowsOf(tx, automationEntity).update({ id }, { failures, lookedUntil, nextAt, listensFrom });
  }

  async #enabled(tx: Tx, condition: string): Promise<readonly Automation[]> {
    const rows = await sqlOf(tx).query<Joined>(
      `${SELECT} where automation.tenant_id = $1 and ${AUTOMATION.state} = 'enabled' ${condition} order by ${AUTOMATION.id}`,
      [tx.tenantId],
    );
    return this.#allAuthentic(tx, rows);
  }

  async #allAuthentic(tx: Tx, rows: readonly Joined[]): Promise<readonly Automation[]> {
    const found = rows.map(read);
    const holds = await Promise.all(
      found.map((each) => this.seals.holds(sealedAutomation(tx, each.automation), each.seal)),
    );
    return found.filter(({ authentic }, index) => authentic && holds[index]).map(({ automation }) => automation);
  }

  async #one(tx: Tx, id: AutomationId, lock: string): Promise<Automation | null> {
    const select = `${SELECT} where automation.tenant_id = $1 and ${AUTOMATION.id} = $2`;
    // A join that waited for the lock would still see the revision from before it waited.
    if (lock !== '') await sqlOf(tx).query(`${select} ${lock}`, [tx.tenantId, id]);
    const [row] = await sqlOf(tx).query<Joined>(select, [tx.tenantId, id]);
    if (row === undefined) return null;
    const { automation, seal, authentic } = read(row);
    await requireSeal(this.seals, sealedAutomation(tx, automation), authentic ? seal : '');
    return automation;
  }
}

/** Until the transaction ends, no other one proposes an automation or gives one its name back. */
async function lockProposals(tx: Tx): Promise<void> {
  await lockName(tx, `countersign.automation_proposal:${tx.tenantId}`);
}

function read(stored: Joined): {
  readonly automation: Automation;
  readonly seal: string;
  /** Whether the source is the one under the sealed digest. */
  readonly authentic: boolean;
} {
  const row: Row = AUTOMATION_ROW.row(stored);
  const { source, author, createdAt }: Revision = REVISION_ROW.row(stored);
  const { id, name, state, version, failures, lookedUntil, nextAt, listensFrom, proposedAt } = row;
  const { agentId, credentialId, ownerId } = row;
  const identity =
    agentId === null || credentialId === null || ownerId === null ? null : { agentId, credentialId, ownerId };
  const automation = {
    ...{ id, name, state, version, identity, failures, lookedUntil, nextAt, listensFrom, proposedAt },
    environment: { id: row.environmentId, name: stored.environment },
    revision: { number: row.revision, source, sha256: row.sourceSha256, author, createdAt },
  };
  const authentic = createHash('sha256').update(source, 'utf8').digest('hex') === row.sourceSha256;
  return { automation, seal: row.seal, authentic };
}

const rowOf = (automation: Automation): Omit<Row, 'seal'> => {
  const { id, name, state, version, failures, lookedUntil, nextAt, listensFrom, proposedAt } = automation;
  const { environment, revision } = automation;
  return {
    ...{ id, name, state, version, failures, lookedUntil, nextAt, listensFrom, proposedAt },
    environmentId: environment.id,
    revision: revision.number,
    sourceSha256: revision.sha256,
    agentId: automation.identity?.agentId ?? null,
    credentialId: automation.identity?.credentialId ?? null,
    ownerId: automation.identity?.ownerId ?? null,
  };
};

/** Everything that decides about its steps and its identity. Failures and times of triggers do not. */
const sealedAutomation = (tx: Tx, automation: Automation): SealedRow => ({
  table: 'automation',
  tenantId: tx.tenantId,
  id: automation.id,
  columns: {
    name: automation.name,
    environment_id: automation.environment.id,
    state: automation.state,
    version: automation.version,
    revision: automation.revision.number,
    source_sha256: automation.revision.sha256,
    agent_id: automation.identity?.agentId ?? null,
    credential_id: automation.identity?.credentialId ?? null,
    owner_id: automation.identity?.ownerId ?? null,
  },
});
