import type { ExpandedInvocation, ExpandedLine, ToolRisk } from '#lib/formats';
import type { PathFacts, ShellFacts, ToolFacts } from '#lib/policy-inputs';

/** The risk of a command line: Tier 1 only reads, in production too. policies/shell says the same, and a test holds both equal. */
export const riskOfLine = ({ tier }: Pick<ShellFacts, 'tier'>, production: boolean): ToolRisk => {
  if (tier === 1) return 'read_only';
  return production ? 'state_change_prod' : 'state_change_nonprod';
};

/**
 * True if the paths of a call make it graver than its tool says (T52). It reads secrets, writes code, or leaves the
 * workspace. policies/paths says the same, and a test holds both equal.
 */
export const liftsRisk = ({ tier, class: of }: PathFacts): boolean => tier === 2 && of !== 'WRITE';

/** From mild to grave: a read, a write, and anything else. */
const CLASSES: readonly PathFacts['class'][] = ['READ_ONLY', 'WRITE', 'UNKNOWN'];

/** True if paths were judged worse now than before: a person answered about the milder verdict. */
export const isWorse = (now: PathFacts, before: PathFacts): boolean =>
  now.tier > before.tier ||
  CLASSES.indexOf(now.class) > CLASSES.indexOf(before.class) ||
  (liftsRisk(now) && !liftsRisk(before));

/** The risk of a call with these paths. They lift a read to a change, and never take the place of a change that its tool declares. */
export const riskOfPaths = (risk: ToolRisk, paths: PathFacts, production: boolean): ToolRisk => {
  if (!liftsRisk(paths) || changesUnder(risk)) return risk;
  return production ? 'state_change_prod' : 'state_change_nonprod';
};

/** True for a risk that can change something. */
export const changesUnder = (risk: ToolRisk): boolean =>
  risk === 'state_change_nonprod' || risk === 'state_change_prod';

/**
 * The facts of a tool in one call of a plan. If the tool takes a command line, the line gives its risk and effect. It
 * decides the need of people and of a simulation, too. People approve any line beyond Tier 1 (ADR-007), and any call
 * that its paths make graver. A tool that may go without a simulation outside production needs one for a change in
 * production.
 */
export function judgedFacts(tool: ToolFacts, { shell, paths }: Pick<ExpandedInvocation, 'shell' | 'paths'>): ToolFacts {
  if (paths !== undefined && liftsRisk(paths)) {
    return {
      ...tool,
      risk: paths.risk,
      effect: tool.effect === 'read' ? 'modify' : tool.effect,
      requires_hitl: 'always',
    };
  }
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
