import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AgentId,
  type AuditSink,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Agent } from '../domain/agent.js';
import { disabledSince } from '../domain/disabled-since.js';
import type { AgentRepository, PersonRepository } from './identity.ports.js';

/** Registers an agent with the person who answers for it. */
export class RegisterAgent {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly agents: AgentRepository,
    private readonly people: PersonRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    wanted: { readonly name: string; readonly description: string; readonly ownerId: PersonId },
  ): Promise<Result<Agent>> {
    const id = newId<AgentId>();
    return this.uow.run(by.tenantId, async (tx) => {
      const owner = await requireOwner(this.people, tx, wanted.ownerId);
      if (!owner.ok) return owner;
      if (!(await this.agents.insert(tx, { id, ...wanted }))) return err(nameTaken);
      await this.audit.record(tx, {
        action: 'agent.registered',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'agent', id },
        payload: { name: wanted.name, owner_id: wanted.ownerId },
      });
      return ok(await found(this.agents, tx, id));
    });
  }
}

/** Renames an agent, hands it to another accountable person, disables or enables it. */
export class ChangeAgent {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly agents: AgentRepository,
    private readonly people: PersonRepository,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    id: AgentId,
    change: {
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly ownerId?: PersonId | undefined;
      readonly disabled?: boolean | undefined;
    },
  ): Promise<Result<Agent>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const agent = await this.agents.lock(tx, id);
      if (agent === null) return err(notFound('agent'));
      if (change.ownerId !== undefined) {
        const owner = await requireOwner(this.people, tx, change.ownerId);
        if (!owner.ok) return owner;
      }
      const next = {
        id,
        name: change.name ?? agent.name,
        description: change.description ?? agent.description,
        ownerId: change.ownerId ?? agent.ownerId,
        disabledAt: disabledSince(change.disabled, agent.disabledAt, await tx.now()),
      };
      if (!(await this.agents.save(tx, next))) return err(nameTaken);
      await this.audit.record(tx, {
        action: change.disabled === true ? 'agent.disabled' : 'agent.changed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'agent', id },
        payload: { name: next.name, owner_id: next.ownerId, disabled: next.disabledAt !== null },
      });
      return ok(await found(this.agents, tx, id));
    });
  }
}

async function requireOwner(people: PersonRepository, tx: Tx, ownerId: PersonId): Promise<Result<void>> {
  const owner = await people.lock(tx, ownerId);
  return owner !== null && owner.disabledAt === null ? ok(undefined) : err(badOwner);
}

async function found(agents: AgentRepository, tx: Tx, id: AgentId): Promise<Agent> {
  const agent = await agents.find(tx, id);
  if (agent === null) throw new Error(`agent ${id} was written and is not there`);
  return agent;
}

const badOwner: Failure = {
  kind: 'unprocessable',
  code: 'identity.agent_owner',
  message: 'An agent needs an accountable person of this tenant, who is not disabled.',
  action: 'Name one.',
  errors: [{ pointer: '/owner_id', code: 'identity.agent_owner', message: 'is not a person who can be accountable' }],
};

const nameTaken: Failure = {
  kind: 'conflict',
  code: 'identity.agent_name_taken',
  message: 'An agent of this tenant has this name.',
  action: 'Use that agent, or another name.',
};
