import {
  actorOf,
  err,
  notFound,
  ok,
  type AgentId,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type Scope,
  type UnitOfWork,
} from '#lib/kernel';
import type { Agent } from '../domain/agent.js';
import type { CredentialHolder } from '../domain/credential.js';
import { expiryAfter } from '../domain/lifetime.js';
import { AGENT_SCOPES, DEFAULT_SCOPES, requireWithin } from '../domain/scopes.js';
import { isAdmin } from './credentials-seen.js';
import type { AgentRepository, CredentialRepository } from './identity.ports.js';
import type { MintCredential, MintedCredential } from './mint-credential.js';
import type { TokenAllowance } from './token-allowance.js';

interface WantedAgentCredential {
  readonly agentId: AgentId;
  readonly name: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly expiresInDays?: number | undefined;
}

/**
 * Mints a credential for an agent. Its owner or a PlatformAdmin mints a token. The very person the agent will act for
 * mints a delegation. Neither can hold `review`, `audit` or `admin`, in any case, and an agent of an automation has
 * neither.
 */
export class MintAgentCredential {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly agents: AgentRepository,
    private readonly credentials: Pick<CredentialRepository, 'actsForAutomation'>,
    private readonly mint: MintCredential,
    private readonly allowance: TokenAllowance,
    private readonly audit: AuditSink,
  ) {}

  /** A token of the agent's own. */
  token(by: PersonPrincipal, wanted: WantedAgentCredential): Promise<Result<MintedCredential>> {
    const holder: CredentialHolder = { kind: 'agent_token', agentId: wanted.agentId };
    return this.#execute(by, wanted, holder, (agent) => {
      return agent.ownerId === by.personId || isAdmin(by) ? ok(undefined) : err(notYours);
    });
  }

  /** A credential with which the agent acts on behalf of its issuer, as far as the issuer's own credential goes. */
  delegation(by: PersonPrincipal, wanted: WantedAgentCredential): Promise<Result<MintedCredential>> {
    const holder: CredentialHolder = { kind: 'delegation', agentId: wanted.agentId, delegatedBy: by.personId };
    return this.#execute(by, wanted, holder, () => {
      const scopes = requireWithin(
        wanted.scopes ?? DEFAULT_SCOPES,
        by.scopes,
        'a delegation goes no further than the credential it is issued with',
      );
      return scopes.ok ? ok(undefined) : scopes;
    });
  }

  async #execute(
    by: PersonPrincipal,
    wanted: WantedAgentCredential,
    holder: CredentialHolder,
    mayIssue: (agent: Agent) => Result<void>,
  ): Promise<Result<MintedCredential>> {
    const scopes = requireWithin(wanted.scopes ?? DEFAULT_SCOPES, AGENT_SCOPES, 'agents ask and never decide');
    if (!scopes.ok) return scopes;
    return this.uow.run(by.tenantId, async (tx) => {
      const agent = await this.agents.lock(tx, wanted.agentId);
      if (agent === null) return err(notFound('agent'));
      if (agent.disabledAt !== null) return err(agentDisabled);
      if (await this.credentials.actsForAutomation(tx, agent.id)) return err(ofAutomation);
      const allowed = mayIssue(agent);
      if (!allowed.ok) return allowed;
      const now = await tx.now();
      const expiry = expiryAfter(now, holder.kind === 'delegation' ? 'delegation' : 'token', wanted.expiresInDays);
      if (!expiry.ok) return expiry;
      const room = await this.allowance.require(tx, by, holder);
      if (!room.ok) return room;
      const minted = await this.mint.execute(tx, {
        holder,
        name: wanted.name,
        scopes: scopes.value,
        createdBy: by.personId,
        now,
        expiresAt: expiry.value,
      });
      await this.audit.record(tx, {
        action: holder.kind === 'delegation' ? 'delegation.issued' : 'credential.minted',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'credential', id: minted.credential.id },
        payload: {
          kind: holder.kind,
          agent_id: agent.id,
          name: wanted.name,
          scopes: scopes.value,
          expires_at: expiry.value,
        },
      });
      return ok(minted);
    });
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'identity.not_agent_owner',
  message: 'Only the agent’s accountable owner or a PlatformAdmin mints its tokens.',
  action: 'Ask the owner, or issue a delegation of your own.',
};

const ofAutomation: Failure = {
  kind: 'conflict',
  code: 'identity.agent_of_automation',
  message: 'This agent acts for an automation, and no token is given out for it.',
  action: 'Register another agent.',
};

const agentDisabled: Failure = {
  kind: 'conflict',
  code: 'identity.agent_disabled',
  message: 'This agent is disabled.',
  action: 'Enable it first.',
};
