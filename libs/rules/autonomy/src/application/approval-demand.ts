import type { AutonomyDocument, Decision } from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import type { Tx } from '#lib/kernel';
import type { AutonomyReader, EnvironmentList, EnvironmentRow } from './autonomy.ports.js';
import type { Matrix } from './matrix.js';

/** No tool can have this name. */
export const NO_OVERRIDE = '-';

/** A production change by the strictest tool, under the name of a tool that has an override, or of none. */
export const productionProbe = (name: string): ToolFacts => ({
  name,
  version: 1,
  risk: 'state_change_prod',
  idempotent: false,
  scope: 'environment',
  effect: 'modify',
  surface: 'asset',
  requires_plan: true,
  requires_hitl: 'always',
  simulated_by: null,
  simulation: 'required',
  canary: true,
});

/** The approval that a change needs in one environment. */
export interface EnvironmentDemand {
  readonly environment: EnvironmentRow;
  /** The tool with the override that asks for it; null for tools without one. */
  readonly tool: string | null;
  readonly decision: Decision;
}

/** The approvals that policy asks of production changes: in each production environment, one for each different quorum. */
export class ApprovalDemand {
  constructor(
    private readonly matrix: Matrix,
    private readonly autonomy: AutonomyReader,
    private readonly environments: EnvironmentList,
  ) {}

  /** Empty if nothing can be approved: without a document, or under plan_only. */
  async inProduction(tx: Tx, now: number): Promise<readonly EnvironmentDemand[]> {
    const document = (await this.autonomy.current(tx))?.document ?? null;
    if (document === null) return [];
    const environments = (await this.environments.all(tx)).filter(({ production }) => production);
    return environments.flatMap((environment) => this.#of(tx, now, document, environment));
  }

  #of(tx: Tx, now: number, document: AutonomyDocument, environment: EnvironmentRow): EnvironmentDemand[] {
    const found = new Map<string, EnvironmentDemand>();
    for (const name of [NO_OVERRIDE, ...Object.keys(document.autonomy.tool_overrides ?? {})]) {
      const decision = this.matrix.decide(tx, now, document, productionProbe(name), environment);
      const { approvals, mfa } = decision.obligations;
      const key = JSON.stringify([approvals, mfa]);
      if (decision.effective.mode === 'plan_only' || approvals.length === 0 || found.has(key)) continue;
      found.set(key, { environment, tool: name === NO_OVERRIDE ? null : name, decision });
    }
    return [...found.values()];
  }
}
