import type { CredentialRepository } from '#lib/identity';
import type { AgentId, Principal, Tx } from '#lib/kernel';
import { cancelled, isAllowed } from '../domain/call-changes.js';
import type { CallFault } from '../domain/tool-call.js';
import type { CallJournal } from './call-journal.js';
import type { ToolCallRepository } from './tool-call.port.js';

/** The calls of one automation, by its agent, or those of one tool. */
type AutomationCallsOf =
  | { readonly kind: 'agent'; readonly agentId: AgentId }
  | { readonly kind: 'tool'; readonly tool: string };

/** Takes back the calls of automations that are allowed and have not left. Calls that left come to their outcome. */
export class TakeBackAutomationCalls {
  constructor(
    private readonly calls: Pick<ToolCallRepository, 'lockLive' | 'save'>,
    private readonly credentials: Pick<CredentialRepository, 'actsForAutomation'>,
    private readonly journal: CallJournal,
  ) {}

  async execute(tx: Tx, of: AutomationCallsOf, by: Principal, fault: CallFault): Promise<void> {
    const now = await tx.now();
    for (const call of await this.calls.lockLive(tx, of)) {
      if (!isAllowed(call, now) || call.submitter.kind !== 'agent') continue;
      if (!(await this.credentials.actsForAutomation(tx, call.submitter.id))) continue;
      const next = cancelled(call, fault, now);
      await this.calls.save(tx, next);
      await this.journal.record(tx, next, { action: 'tool_call.cancelled', by, data: { ...fault } });
    }
  }
}
