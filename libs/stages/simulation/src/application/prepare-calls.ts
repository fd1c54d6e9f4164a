import type { ExpandedPlan } from '#lib/formats';
import { kindNamed, type ExecutorKinds } from '#lib/dispatch';
import { err, ok, type Result, type Tx } from '#lib/kernel';
import type { PlanResolver } from '#lib/plan';
import type { EnvironmentRecord } from '#lib/task';
import { changesState, type ExecutorRecord, type ToolRegistry, type ToolVersion, validateArguments } from '#lib/tool';
import type { SimulationReason } from '../domain/simulation.js';
import type { CallToSimulate } from '../domain/simulation-calls.js';

/** A call with the tool that predicts it and the executor of that tool. */
export interface PreparedCall extends CallToSimulate {
  readonly with: { readonly tool: ToolVersion; readonly executor: ExecutorRecord } | null;
}

/** Finds the simulation tool of each call of a plan, as it is registered now. Checks that it can be called. */
export class CallPreparation {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly resolver: PlanResolver,
    private readonly executorKinds: ExecutorKinds,
  ) {}

  /**
   * @returns `simulation.tool_missing`, `simulation.tool_changes_state`, `simulation.no_executor` or
   * `simulation.arguments_do_not_fit` for the first call that cannot be predicted.
   */
  async prepare(
    tx: Tx,
    expanded: ExpandedPlan,
    environment: EnvironmentRecord,
    calls: readonly CallToSimulate[],
  ): Promise<Result<readonly PreparedCall[], SimulationReason>> {
    const names = new Set(calls.flatMap(({ simulatedBy }) => (simulatedBy === null ? [] : [simulatedBy])));
    const tools = await this.registry.resolveMany(tx, [...names]);
    const executors = await this.resolver.executors(tx, environment, tools);
    const answering = new Map([...executors].filter(([, { kind }]) => this.#isCalled(kind)));
    const prepared: PreparedCall[] = [];
    for (const call of calls) {
      if (call.simulatedBy === null) {
        prepared.push({ ...call, with: null });
        continue;
      }
      const found = resolveTool(call, call.simulatedBy, tools, answering, expanded.environment.name);
      if (!found.ok) return found;
      prepared.push({ ...call, with: found.value });
    }
    return ok(prepared);
  }

  /** An agent fetches its calls, and a prediction has none to fetch. */
  #isCalled(kind: string): boolean {
    return kindNamed(this.executorKinds, kind)?.answeredBy === 'executor';
  }
}

function resolveTool(
  { call }: CallToSimulate,
  name: string,
  tools: ReadonlyMap<string, ToolVersion>,
  executors: ReadonlyMap<string, ExecutorRecord>,
  environment: string,
): Result<NonNullable<PreparedCall['with']>, SimulationReason> {
  const about = `call ${String(call.seq)} (${call.step_id})`;
  const tool = tools.get(name);
  if (tool === undefined)
    return err({ code: 'simulation.tool_missing', message: `There is no tool "${name}" to predict ${about} with.` });
  if (changesState(tool)) {
    return err({ code: 'simulation.tool_changes_state', message: `"${name}" changes state, so it predicts nothing.` });
  }
  const executor = executors.get(tool.definition.executor);
  if (executor === undefined) {
    return err({
      code: 'simulation.no_executor',
      message: `Nothing that can be called executes "${name}" in ${environment}.`,
    });
  }
  const valid = validateArguments(tool, call.invocation.arguments);
  if (!valid.ok) {
    const first = valid.error.errors?.[0];
    return err({
      code: 'simulation.arguments_do_not_fit',
      message: `"${name}" does not take the arguments of ${about}: ${first?.pointer ?? ''} ${first?.message ?? valid.error.message}`,
    });
  }
  return ok({ tool, executor });
}
