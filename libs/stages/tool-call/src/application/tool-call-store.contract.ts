import type { ApprovalRequestId, DecisionId, SessionId, ToolCallId, Tx } from '#lib/kernel';
import type { ContractWorld, SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ToolCall, ToolCallFacts, ToolCallProgress } from '../domain/tool-call.js';
import { sampleFacts, sampleProgress } from './fake-tool-call.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** A repository of calls, with the records that calls refer to. */
export interface ToolCallsOpened {
  readonly world: ContractWorld;
  readonly calls: ToolCallRepository;
  newDecision(): Promise<DecisionId>;
  /** Keeps a session of the tenant's agent. */
  newSession(): Promise<SessionId>;
  /** Keeps an approval request about this call. */
  newRequest(tx: Tx, callId: ToolCallId): Promise<ApprovalRequestId>;
}

/** The repository under test, which all tests of a file share: each of them keeps calls of its own. */
export class CallStore {
  constructor(
    private readonly opened: ToolCallsOpened,
    /** The decision about each call here. */
    readonly decisionId: DecisionId,
  ) {}

  get world(): ContractWorld {
    return this.opened.world;
  }

  get calls(): ToolCallRepository {
    return this.opened.calls;
  }

  get home(): SampleTenant {
    return this.world.home;
  }

  /** The person of the tenant, as the submitter of a call. */
  get person() {
    const { personId: id, credentialId } = this.home.owner;
    return { kind: 'person', id, onBehalfOf: null, credentialId } as const;
  }

  inTenant<T>(tenant: 'home' | 'other', work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.world.uow.run(this.world[tenant].tenantId, work);
  }

  facts(members: Partial<ToolCallFacts> = {}): ToolCallFacts {
    return sampleFacts(this.home, { decisionId: this.decisionId, ...members });
  }

  async kept(
    members: Partial<ToolCallFacts> = {},
    progress: ToolCallProgress = sampleProgress(null).allowed,
  ): Promise<ToolCall> {
    const call = { ...this.facts(members), ...progress };
    await this.inTenant('home', (tx) => this.calls.insert(tx, call));
    return call;
  }

  pending(members: Partial<ToolCallFacts> = {}): Promise<ToolCall & { readonly state: 'pending' }> {
    return this.inTenant('home', async (tx) => {
      const facts = this.facts(members);
      const requestId = await this.opened.newRequest(tx, facts.id);
      const call = { ...facts, state: 'pending', requestId } as const;
      await this.calls.insert(tx, call);
      return call;
    });
  }

  found(id: ToolCallId): Promise<ToolCall | null> {
    return this.inTenant('home', (tx) => this.calls.find(tx, id));
  }

  newSession(): Promise<SessionId> {
    return this.opened.newSession();
  }
}
