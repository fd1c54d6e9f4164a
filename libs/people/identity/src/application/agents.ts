import { z } from 'zod';
import { storedId } from '#lib/formats';
import {
  actingPerson,
  actorOf,
  done,
  err,
  newId,
  notFound,
  ok,
  type AgentId,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonId,
  type PersonPrincipal,
  type ProposedChange,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { shownAgentName, type Agent } from '../domain/agent.js';
import { personNameTaken, shownName } from '../domain/person.js';
import { disabledSince } from '../domain/disabled-since.js';
import type { AgentDisabledListener, AgentRepository, PersonRepository } from './identity.ports.js';

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
    if (isReserved(wanted.name)) return err(nameReserved);
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

/**
 * Renames an agent, hands it to another accountable person, disables or enables it. The accountable person reviews no request
 * of the agent. After a handover the former one may, so a handover waits for a second person. The sessions and the calls of a disabled
 * agent end in the same transaction.
 *
 * Failures: `resource.not_found`, `identity.agent_owner`, `identity.agent_name_reserved`, `person.name_taken`,
 * `identity.agent_name_taken`.
 */
export class ChangeAgent implements CarriesOutChange<WantedAgent> {
  readonly payload = wantedAgent;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly agents: AgentRepository,
    private readonly people: PersonRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
    private readonly listeners: readonly AgentDisabledListener[],
  ) {}

  execute(
    by: PersonPrincipal,
    id: AgentId,
    change: {
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly ownerId?: PersonId | undefined;
      readonly disabled?: boolean | undefined;
    },
  ): Promise<Result<Guarded<Agent>>> {
    const { name, description, ownerId, disabled } = change;
    const wanted = {
      agent_id: id,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(ownerId === undefined ? {} : { owner_id: ownerId }),
      ...(disabled === undefined ? {} : { disabled }),
    };
    return this.uow.run(by.tenantId, (tx) => this.#change(tx, by, wanted));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedAgent): Promise<Result<Guarded<Agent>>> {
    return this.#change(tx, change, wanted);
  }

  async #change(tx: Tx, authority: ChangeAuthority, wanted: WantedAgent): Promise<Result<Guarded<Agent>>> {
    const { agent_id: id } = wanted;
    const agent = await this.agents.lock(tx, id);
    if (agent === null) return err(notFound('agent'));
    if (wanted.owner_id !== undefined) {
      const owner = await requireOwner(this.people, tx, wanted.owner_id);
      if (!owner.ok) return owner;
    }
    const { name = agent.name } = wanted;
    const renamed = name !== agent.name;
    if (renamed && isReserved(name)) return err(nameReserved);
    if (renamed && (await this.people.nameTaken(tx, name, id))) return err(personNameTaken);
    const now = await tx.now();
    const next = {
      id,
      name,
      description: wanted.description ?? agent.description,
      ownerId: wanted.owner_id ?? agent.ownerId,
      disabledAt: disabledSince(wanted.disabled, agent.disabledAt, now),
    };
    const admission = await this.twoPersonRule.admit(
      tx,
      authority,
      await this.#handOver(tx, agent, next.ownerId, wanted),
    );
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    if (!(await this.agents.save(tx, next))) return err(nameTaken);
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'agent_owner',
      subjectId: id,
      why: `Somebody else answers for ${agent.name} meanwhile.`,
      base: () => ({ owner_id: next.ownerId }),
    });
    await this.audit.record(tx, {
      action: wanted.disabled === true ? 'agent.disabled' : 'agent.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'agent', id },
      payload: {
        name: next.name,
        ...(renamed ? { renamed_from: agent.name } : {}),
        owner_id: next.ownerId,
        disabled: next.disabledAt !== null,
        ...admitted.provenance,
      },
    });
    if (agent.disabledAt === null && next.disabledAt !== null) {
      const principal = actingPerson(authority);
      for (const listener of this.listeners) await listener.agentDisabled(tx, id, { principal, at: now });
    }
    return ok(done(await found(this.agents, tx, id), admitted));
  }

  async #handOver(tx: Tx, agent: Agent, ownerId: PersonId, wanted: WantedAgent): Promise<ProposedChange> {
    const people = await this.people.findMany(tx, [agent.ownerId, ownerId]);
    const nameOf = (id: PersonId): string => {
      const person = people.find((one) => one.id === id);
      return person === undefined ? id : shownName(person);
    };
    const name = shownAgentName(agent);
    const moved = ownerId !== agent.ownerId;
    return {
      kind: 'agent_owner',
      subject: { type: 'agent', id: agent.id },
      what: `The agent ${name}, for which ${nameOf(agent.ownerId)} answers`,
      payload: { ...wanted },
      base: { owner_id: agent.ownerId },
      loosens: moved
        ? [`${nameOf(agent.ownerId)} no longer answers for ${name}, and may review what it asks for from then on`]
        : [],
      detail: { agent: name, answers_before: nameOf(agent.ownerId), answers_after: nameOf(ownerId) },
      beneficiary: agent.ownerId,
    };
  }
}

const wantedAgent = z.strictObject({
  agent_id: storedId<AgentId>(),
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  owner_id: storedId<PersonId>().exactOptional(),
  disabled: z.boolean().exactOptional(),
});
type WantedAgent = z.infer<typeof wantedAgent>;

async function requireOwner(people: PersonRepository, tx: Tx, ownerId: PersonId): Promise<Result<void>> {
  const owner = await people.lock(tx, ownerId);
  return owner?.disabledAt === null ? ok(undefined) : err(badOwner);
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

/** Whether a name reads like that of the agent of an automation. */
const isReserved = (name: string): boolean => /^\s*automation\s*:/i.test(name.normalize('NFKC'));

const nameReserved: Failure = {
  kind: 'unprocessable',
  code: 'identity.agent_name_reserved',
  message: 'Names that begin with “automation:” are for the agents of automations.',
  action: 'Choose another name.',
  errors: [{ pointer: '/name', code: 'identity.agent_name_reserved', message: 'begins with “automation:”' }],
};

const nameTaken: Failure = {
  kind: 'conflict',
  code: 'identity.agent_name_taken',
  message: 'An agent of this tenant has this name.',
  action: 'Use that agent, or another name.',
};
