import type { AgentId } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { RunFilter } from './run.repository.js';

/** The facts of a plan that lists and halts ask for. */
export interface PlanOfRun {
  /** The environment's name. */
  readonly environment: string;
  /** The agent that submitted it; null if a person did. */
  readonly agentId: AgentId | null;
  /** The agent that submitted its task, if another did than the plan's. */
  readonly taskAgentId?: AgentId | null;
  /** The people who submitted it, themselves or through an agent, or reviewed it. */
  readonly people: readonly string[];
  readonly tools: readonly string[];
  readonly targets: readonly string[];
}

/** Whether the list that is filtered so holds the run. */
export function matches(run: Run, plan: PlanOfRun | undefined, filter: RunFilter): boolean {
  if (filter.search !== undefined) throw new Error('the fake finds nothing by words');
  const { state, taskId, planId, environment, agentId, tool, target, personId, from, until } = filter;
  return (
    (state === undefined || run.state === state) &&
    (taskId === undefined || run.taskId === taskId) &&
    (planId === undefined || run.planId === planId) &&
    (environment === undefined || plan?.environment === environment) &&
    (agentId === undefined || plan?.agentId === agentId) &&
    (tool === undefined || plan?.tools.includes(tool) === true) &&
    (target === undefined || plan?.targets.includes(target) === true) &&
    (personId === undefined || run.startedBy.id === personId || plan?.people.includes(personId) === true) &&
    (from === undefined || run.createdAt >= from) &&
    (until === undefined || run.createdAt < until)
  );
}

/** Order by the first of these keys that differs. */
export const by =
  <Row>(keys: (row: Row) => readonly (string | number)[]) =>
  (a: Row, b: Row): number => {
    const others = keys(b);
    for (const [index, key] of keys(a).entries()) {
      const other = others[index] ?? key;
      if (key !== other) return key < other ? -1 : 1;
    }
    return 0;
  };
