import type { JsonObject } from '#lib/canonical';
import type { AutomationDocument } from '#lib/formats';
import type { AgentId, Tx } from '#lib/kernel';
import type { JudgeAutomationCall } from '#lib/tool-call';
import type { AutomationFault } from '../domain/automation.js';
import { acceptedVersion } from '../domain/safe-tool.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** A step that would be blocked now, and why. */
export interface BlockedStep {
  readonly step: string;
  readonly tool: string;
  readonly fault: AutomationFault;
}

/** Asks the policies about each step of an automation, before it is saved. The guard asks again at every step of a run. */
export class JudgeSteps {
  constructor(
    private readonly entries: Pick<SafeToolRepository, 'list'>,
    private readonly calls: Pick<JudgeAutomationCall, 'preview'>,
  ) {}

  async blocked(
    tx: Tx,
    { environment, steps }: AutomationDocument,
    agentId: AgentId | null,
  ): Promise<readonly BlockedStep[]> {
    const accepted = new Map((await this.entries.list(tx)).map((entry) => [entry.tool, entry]));
    const blocked: BlockedStep[] = [];
    for (const step of steps) {
      if (step.type !== 'tool_action') continue;
      const { tool, arguments: given } = step;
      const version = acceptedVersion(accepted.get(tool));
      const call = { tool, environment, arguments: given as JsonObject, agentId, accepted: version };
      const fault = await this.calls.preview(tx, call);
      if (fault !== null) blocked.push({ step: step.id, tool, fault });
    }
    return blocked;
  }
}
