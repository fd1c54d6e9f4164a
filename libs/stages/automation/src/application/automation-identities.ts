import type { AgentRepository, CredentialRepository, MintCredential, PersonRepository } from '#lib/identity';
import {
  actorOf,
  err,
  newId,
  ok,
  type AgentId,
  type AgentPrincipal,
  type AuditSink,
  type CredentialId,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
} from '#lib/kernel';
import type { Automation, AutomationIdentity } from '../domain/automation.js';

/** Long past the life of any automation; an admin revokes the credential, or disables the agent or the automation. */
const LIFETIME_MS = 100 * 365 * 24 * 3_600_000;

/**
 * The agents that automations act as. Each automation has one, with the person accountable for it and a credential that no token
 * opens: so halts, limits and evidence hold for its calls as for those of every agent.
 */
export class AutomationIdentities {
  constructor(
    private readonly agents: Pick<AgentRepository, 'insert' | 'find'>,
    private readonly people: Pick<PersonRepository, 'find'>,
    private readonly credentials: Pick<CredentialRepository, 'find'>,
    private readonly mint: Pick<MintCredential, 'execute'>,
    private readonly audit: AuditSink,
  ) {}

  /**
   * The identity of an automation: made if it has none yet, and with another credential if its own has ended.
   *
   * @returns `automation.agent_name_taken`, `automation.agent_disabled`, `automation.owner_disabled`.
   */
  async of(tx: Tx, admin: PersonPrincipal, { name, identity }: Automation): Promise<Result<AutomationIdentity>> {
    if (identity === null) return this.#made(tx, admin, `automation:${name}`);
    const standing = await this.principalOf(tx, identity);
    if (standing.ok) return ok(identity);
    if (standing.error.code !== credentialRevoked.code) return standing;
    const credentialId = await this.#minted(tx, admin, identity.agentId, `automation:${name}`);
    return ok({ ...identity, credentialId });
  }

  /**
   * The automation as the caller of its calls, if its agent, accountable person and credential are still good (T17).
   *
   * @returns `automation.agent_disabled`, `automation.owner_disabled`, `automation.credential_revoked`.
   */
  async principalOf(tx: Tx, identity: AutomationIdentity): Promise<Result<AgentPrincipal>> {
    const { agentId, credentialId } = identity;
    const agent = await this.agents.find(tx, agentId);
    if (agent?.disabledAt !== null) return err(agentDisabled);
    const owner = await this.people.find(tx, agent.ownerId);
    if (owner?.disabledAt !== null) return err(ownerDisabled);
    const credential = await this.credentials.find(tx, credentialId, { personId: agent.ownerId, all: true });
    if (credential?.revokedAt !== null || credential.expiresAt <= (await tx.now())) return err(credentialRevoked);
    return ok({
      kind: 'agent',
      tenantId: tx.tenantId,
      agentId,
      displayName: agent.name,
      ownerId: agent.ownerId,
      onBehalfOf: null,
      credentialId,
      scopes: credential.scopes,
    });
  }

  /** The person who answers for the agent now. */
  async ownerOf(tx: Tx, { agentId }: AutomationIdentity): Promise<PersonId | null> {
    return (await this.agents.find(tx, agentId))?.ownerId ?? null;
  }

  async #made(tx: Tx, admin: PersonPrincipal, name: string): Promise<Result<AutomationIdentity>> {
    const [agentId, ownerId] = [newId<AgentId>(), admin.personId];
    const description = `Acts for the automation ${name.slice('automation:'.length)}.`;
    if (!(await this.agents.insert(tx, { id: agentId, name, description, ownerId }))) return err(nameTaken(name));
    await this.audit.record(tx, {
      action: 'agent.registered',
      actor: actorOf(admin),
      level: 'full',
      subject: { type: 'agent', id: agentId },
      payload: { name, owner_id: ownerId },
    });
    return ok({ agentId, credentialId: await this.#minted(tx, admin, agentId, name), ownerId });
  }

  async #minted(tx: Tx, admin: PersonPrincipal, agentId: AgentId, name: string): Promise<CredentialId> {
    const [now, { personId: createdBy }] = [await tx.now(), admin];
    const expiresAt = now + LIFETIME_MS;
    const holder = { kind: 'automation', agentId } as const;
    const wanted = { holder, name, scopes: ['run'] as const, createdBy, now, expiresAt };
    const { id } = (await this.mint.execute(tx, wanted)).credential;
    await this.audit.record(tx, {
      action: 'credential.minted',
      actor: actorOf(admin),
      level: 'full',
      subject: { type: 'credential', id },
      payload: { kind: holder.kind, agent_id: agentId, name, scopes: wanted.scopes, expires_at: expiresAt },
    });
    return id;
  }
}

const nameTaken = (name: string): Failure => ({
  kind: 'conflict',
  code: 'automation.agent_name_taken',
  message: `An agent of this tenant is called ${name}, and the automation would act as an agent of that name.`,
  action: 'Rename that agent first.',
});

const agentDisabled: Failure = {
  kind: 'conflict',
  code: 'automation.agent_disabled',
  message: 'The agent of the automation is disabled',
  action: 'Enable that agent first.',
};

const ownerDisabled: Failure = {
  kind: 'conflict',
  code: 'automation.owner_disabled',
  message: 'The person who answers for the agent of the automation is disabled',
  action: 'Have another person answer for that agent.',
};

const credentialRevoked: Failure = {
  kind: 'conflict',
  code: 'automation.credential_revoked',
  message: 'The credential of the automation was revoked',
  action: 'Disable the automation and enable it again, to give it another one.',
};
