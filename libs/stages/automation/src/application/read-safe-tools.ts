import { activeFreezes, relevantDocument, type AutonomyReader } from '#lib/autonomy';
import type { HaltReader } from '#lib/halt';
import { err, notFound, ok, type Principal, type Result, type Tx, type UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Decision } from '#lib/formats';
import type { EnvironmentReader } from '#lib/task';
import { toolFacts, type ExecutorRepository, type ToolRegistry, type ToolVersion } from '#lib/tool';
import type { JudgeAutomationCall } from '#lib/tool-call';
import type { AutomationFault } from '../domain/automation.js';
import { acceptedVersion, type SafeTool } from '../domain/safe-tool.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** An entry, and whether its tool is still as it was accepted. */
export interface ListedSafeTool {
  readonly entry: SafeTool;
  readonly counts: boolean;
}

/** A tool, and the answer to a call of it by an automation. */
export interface TieredTool {
  readonly tool: ToolVersion;
  readonly decision: Decision;
  /** The reason why a call that the policies allow would not leave all the same; null if it would. */
  readonly unsent: AutomationFault | null;
}

export interface ReadSafeToolsDeps {
  readonly uow: UnitOfWork;
  readonly entries: Pick<SafeToolRepository, 'list'>;
  readonly tools: Pick<ToolRegistry, 'list'>;
  readonly executors: Pick<ExecutorRepository, 'list'>;
  readonly calls: Pick<JudgeAutomationCall, 'executorFault'>;
  readonly environments: Pick<EnvironmentReader, 'byName'>;
  readonly autonomy: AutonomyReader;
  readonly halts: Pick<HaltReader, 'activeByTool'>;
  readonly policy: Pick<PolicyDecisionPoint, 'evaluate'>;
}

/** How many tools are decided before the event loop gets its turn. */
const TOOLS_A_TURN = 250;

/** Reads the list of safe tools, and the tier map: every tool with the policies' answer for automations. */
export class ReadSafeTools {
  constructor(private readonly deps: ReadSafeToolsDeps) {}

  list(by: Principal): Promise<readonly ListedSafeTool[]> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const current = new Map((await this.deps.tools.list(tx)).map((tool) => [tool.name, tool.digest]));
      const entries = await this.deps.entries.list(tx);
      return entries.map((entry) => ({ entry, counts: current.get(entry.tool) === entry.digest }));
    });
  }

  /**
   * Every tool in an environment, by name. A command line or a path of a call may still be denied.
   *
   * @returns `resource.not_found` for the environment.
   */
  tiers(by: Principal, environment: string): Promise<Result<readonly TieredTool[]>> {
    return this.deps.uow.run(by.tenantId, (tx) => this.#tiers(tx, environment));
  }

  async #tiers(tx: Tx, name: string): Promise<Result<readonly TieredTool[]>> {
    const environment = await this.deps.environments.byName(tx, name);
    if (environment === null) return err(notFound('environment'));
    const accepted = new Map((await this.deps.entries.list(tx)).map((entry) => [entry.tool, entry]));
    const autonomy = (await this.deps.autonomy.current(tx))?.document ?? null;
    const now = await tx.now();
    const freezes = activeFreezes(autonomy, now);
    const tiered: TieredTool[] = [];
    const tools = await this.deps.tools.list(tx);
    const { id, production, version } = environment;
    const scope = { environmentId: id, agentIds: [], tools: tools.map((tool) => tool.name) };
    const executors = new Map((await this.deps.executors.list(tx, id)).map((executor) => [executor.name, executor]));
    const halts = await this.deps.halts.activeByTool(tx, scope);
    for (const tool of tools) {
      const decision = this.deps.policy.evaluate('automation', {
        now,
        tenant_id: tx.tenantId,
        autonomy: relevantDocument(autonomy, name, tool.name),
        tool: toolFacts(tool),
        digest: tool.digest,
        accepted: acceptedVersion(accepted.get(tool.name)),
        environment: { id, name, production, version },
        shell: null,
        paths: null,
        freeze: { active: freezes, starter_roles: [] },
        halts: [...(halts.get(tool.name) ?? [])],
      });
      const executor = executors.get(tool.definition.executor) ?? null;
      const unsent = this.deps.calls.executorFault({ tool: tool.name, environment: name }, { executor });
      tiered.push({ tool, decision, unsent });
      if (tiered.length % TOOLS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return ok(tiered);
  }
}
