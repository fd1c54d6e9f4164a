import { ownMember } from '#lib/canonical';
import type { AutonomyDocument, Decision } from '#lib/formats';
import type { PolicyInput, ToolFacts } from '#lib/policy-inputs';
import type { Tx } from '#lib/kernel';
import { toolFacts, type ToolVersion } from '#lib/tool';
import type { EnvironmentRow } from './autonomy.ports.js';

/** Asks the policies for answers that are only shown. It records nothing. */
export interface MatrixPolicy {
  evaluate(entrypoint: 'autonomy', input: PolicyInput<'autonomy'>): Decision;
  readonly bundleRevision: string;
}

/** One cell: the decision about a plan with this one tool in this environment. */
export interface MatrixCell {
  readonly tool: ToolVersion;
  readonly environment: EnvironmentRow;
  readonly decision: Decision;
}

/** The part of a document that a cell depends on. The rest of a large document stays out of the input. */
export function relevantDocument(
  document: AutonomyDocument | null,
  environment: string,
  tool: string,
): PolicyInput<'autonomy'>['autonomy'] {
  if (document === null) return null;
  const { environments = {}, tool_overrides: overrides = {}, ...rest } = document.autonomy;
  const pick = <T>(from: Record<string, T>, name: string): Record<string, T> => {
    const found = ownMember(from, name);
    return found === undefined ? {} : { [name]: found };
  };
  return {
    autonomy: { ...rest, environments: pick(environments, environment), tool_overrides: pick(overrides, tool) },
  };
}

/** How many cells are computed before the event loop gets its turn. */
const CELLS_A_TURN = 250;

/** Computes cells with the policies in force. */
export class Matrix {
  constructor(private readonly policy: MatrixPolicy) {}

  get bundleRevision(): string {
    return this.policy.bundleRevision;
  }

  /** The cell of a tool with these facts. */
  decide(
    tx: Tx,
    now: number,
    document: AutonomyDocument | null,
    tool: ToolFacts,
    environment: EnvironmentRow,
  ): Decision {
    return this.policy.evaluate('autonomy', {
      now,
      tenant_id: tx.tenantId,
      autonomy: relevantDocument(document, environment.name, tool.name),
      tool,
      environment,
    });
  }

  /** Every tool in every environment, by tool and environment. */
  async cells(
    tx: Tx,
    now: number,
    document: AutonomyDocument | null,
    tools: readonly ToolVersion[],
    environments: readonly EnvironmentRow[],
  ): Promise<readonly MatrixCell[]> {
    const cells: MatrixCell[] = [];
    for (const tool of tools) {
      const facts = toolFacts(tool);
      for (const environment of environments) {
        cells.push({ tool, environment, decision: this.decide(tx, now, document, facts, environment) });
        if (cells.length % CELLS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return cells;
  }
}
