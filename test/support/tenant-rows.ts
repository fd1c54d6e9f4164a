import { sqlOf } from '#lib/database';
import type { AgentPrincipal, CredentialId, PersonPrincipal, TenantId, UnitOfWork } from '#lib/kernel';
import type { SampleEnvironment, SampleTenant } from '../../libs/foundation/kernel/src/fake-tenant.js';
import { FORGED_SEAL } from './database-login.js';

/** Writes the rows of a tenant, its environments, people and agents, as their use cases would. */
export class TenantRows {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tenantId: TenantId,
  ) {}

  /** All of it. */
  static async of(uow: UnitOfWork, sample: SampleTenant): Promise<void> {
    const rows = new TenantRows(uow, sample.tenantId);
    await rows.tenant();
    for (const environment of [sample.production, sample.staging]) await rows.environment(environment);
    for (const person of [sample.owner, sample.admin]) await rows.person(person);
    await rows.agent(sample.agent, sample.admin);
  }

  async tenant(): Promise<void> {
    await this.#insert('insert into tenant (id, slug, name, created_at) values ($1, $2, $2, clock_timestamp())', [
      `t-${this.tenantId.slice(-12)}`,
    ]);
  }

  async environment({ id, name, production, version }: SampleEnvironment): Promise<void> {
    await this.#insert(
      `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, clock_timestamp(), clock_timestamp())`,
      [id, name, production, version],
    );
  }

  async person({ personId, credentialId }: PersonPrincipal): Promise<void> {
    await this.#insert(
      'insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, $3, $3, clock_timestamp())',
      [personId, `p-${personId}@example.com`],
    );
    await this.#credential(credentialId, ['person_token', personId, null, null]);
  }

  async agent(agent: AgentPrincipal, admin: PersonPrincipal): Promise<void> {
    const { agentId, ownerId } = agent;
    await this.#insert(
      `insert into agent (tenant_id, id, name, description, owner_person_id, created_at)
       values ($1, $2, $3, '', $4, clock_timestamp())`,
      [agentId, `agent-${agentId}`, ownerId],
    );
    await this.token(agent, admin);
  }

  /** The token of an agent, made by this person. */
  async token({ agentId, credentialId }: AgentPrincipal, maker: PersonPrincipal): Promise<void> {
    await this.#credential(credentialId, ['agent_token', null, agentId, maker.personId]);
  }

  /** @param of its kind, the person or the agent that holds it, and its maker. */
  async #credential(id: CredentialId, of: readonly (string | null)[]): Promise<void> {
    await this.#insert(
      `insert into credential (tenant_id, id, kind, person_id, agent_id, created_by, name, prefix, token_digest, scopes, created_at, expires_at, seal)
       values ($1, $2, $3, $4, $5, $6, 'test', 'test', sha256($7::bytea), '{read,submit}', clock_timestamp(), clock_timestamp() + interval '1 day', $8)`,
      [id, ...of, id, FORGED_SEAL],
    );
  }

  async #insert(text: string, parameters: readonly unknown[]): Promise<void> {
    await this.uow.run(this.tenantId, (tx) => sqlOf(tx).execute(text, [this.tenantId, ...parameters]));
  }
}
