import type { ExpandedInvocation, ExpandedLine, ToolRisk } from '#lib/formats';
import type { ShellFacts, ToolFacts } from '#lib/policy-inputs';

/** The risk of a command line: Tier 1 only reads, in production too. policies/shell says the same, and a test holds both equal. */
export const riskOfLine = ({ tier }: Pick<ShellFacts, 'tier'>, production: boolean): ToolRisk => {
  if (tier === 1) return 'read_only';
  return production ? 'state_change_prod' : 'state_change_nonprod';
};

/** True for a risk that can change something. */
export const changesUnder = (risk: ToolRisk): boolean =>
  risk === 'state_change_nonprod' || risk === 'state_change_prod';

/**
 * The facts of a tool in one call of a plan: with the risk, effect and need of people and of a simulation that the call's command line
 * has, if the tool takes one. People approve any line beyond Tier 1 (ADR-007). A tool that may go without a simulation outside
 * production needs one for a change in production.
 */
export function judgedFacts(tool: ToolFacts, { shell }: Pick<ExpandedInvocation, 'shell'>): ToolFacts {
  if (shell === undefined) return tool;
  const { risk } = shell;
  const unforeseen = tool.risk === 'state_change_nonprod' && risk === 'state_change_prod';
  return {
    ...tool,
    risk,
    effect: effectOf(shell),
    requires_hitl: hitlOf(tool, shell),
    simulation: unforeseen ? 'required' : tool.simulation,
  };
}

/** A prod tool asks because of its risk: a line of it that only reads asks nobody. */
function hitlOf({ risk, requires_hitl: declared }: ToolFacts, { tier }: ExpandedLine): ToolFacts['requires_hitl'] {
  if (tier > 1) return 'always';
  return risk === 'state_change_prod' ? 'configurable' : declared;
}

function effectOf({ risk, class: of }: ExpandedLine): ToolFacts['effect'] {
  if (!changesUnder(risk)) return 'read';
  return of === 'DESTRUCTIVE' || of === 'ESCALATION' ? 'destructive' : 'modify';
}
