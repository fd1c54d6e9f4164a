import { ownMember } from '#lib/canonical';
import {
  TOOL_LEVELS,
  type ExpandedCall,
  type ExpandedInvocation,
  type ExpandedPlan,
  type ToolLevel,
} from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import { counted, visibleText, visibleValue } from '#lib/words';
import { judgedFacts, level } from '#lib/tool';
import { wholeEnvironment } from './expand-invocation.js';
import { callsOf, invocationsOf } from './invocations.js';
import { toolKeyOf } from './plan-facts.js';
import { repeatsTargets, same } from './repeats-targets.js';

type Facts = Readonly<Record<string, ToolFacts>>;

/** A plan in one line. */
export interface PlanHeadline {
  readonly headline: string;
  readonly risk: ToolLevel;
}

/**
 * How much is at stake: the level of the riskiest call, undo or health check. Its tool or its command line gives the
 * level. No calls would be a fault, and are critical.
 *
 * @param tools the facts of the tools that the plan holds, by `name@version`; one that is missing counts for nothing.
 */
export function planRisk(plan: ExpandedPlan, tools: Facts): ToolLevel {
  const ranks = invocationsOf(plan).flatMap((invocation) => {
    const facts = factsOf(invocation, tools);
    return facts === undefined ? [] : [TOOL_LEVELS.indexOf(level(facts))];
  });
  return TOOL_LEVELS[Math.max(...ranks)] ?? 'critical';
}

/** The facts of the tool of a call, as its command line is judged; undefined if the tool is missing. */
export function factsOf(invocation: ExpandedInvocation, tools: Facts): ToolFacts | undefined {
  const facts = tools[toolKeyOf(invocation.tool)];
  return facts === undefined ? undefined : judgedFacts(facts, invocation);
}

/** A plan in one line, with the level of its riskiest call. */
export const headlineOf = (plan: ExpandedPlan, tools: Facts): PlanHeadline => ({
  headline: planHeadline(plan, tools),
  risk: planRisk(plan, tools),
});

/** More arguments than these are left to the page, and longer ones too. */
const MAX_ARGUMENTS = 2;
const MAX_CHARACTERS = 48;
const MAX_NAMED = 2;

/**
 * `execute_rollout_prod on 47 targets, image web-2026.13, revision 2`: an expanded plan in one line. The riskiest
 * tool is named first, and calls that only read are not named beside those that change something.
 */
export function planHeadline(plan: ExpandedPlan, tools: Facts): string {
  const calls = callsOf(plan);
  const changing = calls.filter(({ invocation }) => factsOf(invocation, tools)?.effect !== 'read');
  const told = changing.length === 0 ? calls : changing;
  const rankOf = (call: ExpandedCall): number => {
    const facts = factsOf(call.invocation, tools);
    return facts === undefined ? TOOL_LEVELS.length : TOOL_LEVELS.indexOf(level(facts));
  };
  const ranked = [...told].sort((one, other) => rankOf(other) - rankOf(one));
  const names = [...new Set(ranked.map(({ invocation }) => invocation.tool.name))];
  const [first] = names;
  const others = names.length > MAX_NAMED ? [`${String(names.length - 1)} other tools`] : names.slice(1);
  const ofFirst = told.filter(({ invocation }) => invocation.tool.name === first);
  return [
    `${[first ?? 'nothing', ...others].join(' and ')} ${onTargets(plan, told)}`,
    ...argumentsOf(ofFirst),
    `revision ${String(plan.revision)}`,
  ].join(', ');
}

function onTargets(plan: ExpandedPlan, calls: readonly ExpandedCall[]): string {
  const targets = [...new Set(calls.flatMap(({ invocation }) => invocation.targets))];
  if (targets.includes(wholeEnvironment(plan.environment.name))) return `on all of ${plan.environment.name}`;
  return targets.length > 0 && targets.length <= MAX_NAMED
    ? `on ${targets.join(' and ')}`
    : `on ${counted(targets.length, 'target')}`;
}

/** The arguments that all calls of a tool share and that are short enough to be read in passing. */
function argumentsOf(calls: readonly ExpandedCall[]): string[] {
  const [first] = calls;
  if (first === undefined) return [];
  return Object.entries(first.invocation.arguments)
    .filter(([name, value]) => calls.every(({ invocation }) => same(ownMember(invocation.arguments, name), value)))
    .filter(([name]) => !calls.every(({ invocation }) => repeatsTargets(invocation, name)))
    .filter(([, value]) => typeof value !== 'object' || value === null)
    .map(([name, value]) => `${visibleText(name)} ${inPassing(value)}`)
    .filter((text) => text.length <= MAX_CHARACTERS)
    .slice(0, MAX_ARGUMENTS);
}

/** A text that can be nothing but a name needs no quotation marks. */
const inPassing = (value: unknown): string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z0-9._:/@-]*$/.test(value) && !/^(true|false|null)$/i.test(value)
    ? value
    : visibleValue(value);
