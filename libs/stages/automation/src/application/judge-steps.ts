import type { AutomationDocument } from '#lib/formats';
import type { AgentId, Tx } from '#lib/kernel';
import type { JudgeAutomationCall } from '#lib/tool-call';
import type { AutomationFault } from '../domain/automation.js';
import { sampleInputs, type InputValues } from '../domain/automation-inputs.js';
import { fillArguments } from '../domain/fill-arguments.js';
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

  /** @param values of its inputs; without them those that are there to check steps with. */
  async blocked(
    tx: Tx,
    { environment, steps, inputs }: AutomationDocument,
    agentId: AgentId | null,
    values: InputValues = sampleInputs(inputs),
  ): Promise<readonly BlockedStep[]> {
    const accepted = new Map((await this.entries.list(tx)).map((entry) => [entry.tool, entry]));
    const blocked: BlockedStep[] = [];
    for (const step of steps) {
      if (step.type !== 'tool_action') continue;
      const { tool, arguments: given } = step;
      const version = acceptedVersion(accepted.get(tool));
      const filled = fillArguments(given, values);
      const call = { tool, environment, arguments: filled, agentId, accepted: version };
      const fault = await this.calls.preview(tx, call);
      if (fault !== null) blocked.push({ step: step.id, tool, fault });
    }
    return blocked;
  }
}
