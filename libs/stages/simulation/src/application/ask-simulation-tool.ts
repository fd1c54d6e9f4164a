import { type SimulationDetails, type SimulationResult, simulationResultSchema } from '#lib/formats';
import type { DispatchOrder, ToolDispatcher } from '#lib/dispatch';
import { err, ok, type Result, type TenantId } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { judgedFacts, level, orderedTool, toolFacts } from '#lib/tool';
import type { RunningSimulation, SimulationReason } from '../domain/simulation.js';
import type { PreparedCall } from './prepare-calls.js';

/** The prediction of one call. */
export interface PredictedCall {
  readonly call: SimulationDetails['calls'][number];
  readonly healthCheckPoints: readonly string[];
}

/** Asks the simulation tool to predict one call with the run's exact arguments. Do not call inside a transaction. */
export async function askSimulationTool(
  dispatcher: ToolDispatcher,
  tenantId: TenantId,
  environment: string,
  simulation: RunningSimulation,
  prepared: PreparedCall & { readonly with: NonNullable<PreparedCall['with']> },
  mayLeaveUntil: NonNullable<DispatchOrder['mayLeaveUntil']>,
): Promise<Result<PredictedCall, SimulationReason>> {
  const { call, with: by } = prepared;
  const { kind, url, name, audience, secret, settings } = by.executor;
  const outcome = await dispatcher.dispatch({
    tenantId,
    environment,
    basis: 'simulation',
    source: { type: 'simulation', id: simulation.id },
    step: String(call.seq),
    attempt: simulation.fence,
    tool: orderedTool(by.tool),
    executor: { name, kind, url, audience, secret, settings },
    arguments: call.invocation.arguments,
    // No approval exists yet.
    withSecrets: prepared.tool.definition.simulation_secrets === true,
    argumentsDigest: call.invocation.arguments_digest,
    planDigest: simulation.planDigest,
    // A tool that executes a command line changes state, so none predicts (T53).
    shell: null,
    idempotencyKey: `${simulation.id}:${String(call.seq)}:${String(simulation.fence)}`,
    mayLeaveUntil,
  });
  const about = `"${by.tool.name}" for call ${String(call.seq)} (${call.step_id})`;
  if (outcome.kind === 'offered') {
    return err({
      code: 'simulation.no_executor',
      message: `${about} would be answered later: a simulation needs an answer.`,
    });
  }
  if (outcome.kind !== 'succeeded') {
    return err({
      code: 'simulation.tool_failed',
      message: `${about}: ${outcome.error.code}: ${outcome.error.message}`,
    });
  }
  const answer = simulationResultSchema.safeParse(outcome.result, { error: wordsOfIssue });
  if (!answer.success) {
    const issue = answer.error.issues[0];
    return err({
      code: 'simulation.bad_answer',
      message: `${about} did not answer with a simulation result: /${issue?.path.map(String).join('/') ?? ''}: ${issue?.message ?? 'invalid'}`,
    });
  }
  return ok(predicted(prepared, answer.data));
}

/** The entry of a call that needs no simulation. Its risk is the level of its tool, as its command line is judged. */
export const unpredicted = (prepared: PreparedCall): PredictedCall => ({
  call: {
    ...subjectOf(prepared),
    simulation: 'not_applicable',
    simulated_by: null,
    affected_assets: null,
    estimated_duration_minutes: null,
    predicted_risk: level(judgedFacts(toolFacts(prepared.tool), prepared.call.invocation)),
    details: null,
  },
  healthCheckPoints: [],
});

function predicted(
  prepared: PreparedCall & { readonly with: NonNullable<PreparedCall['with']> },
  answer: SimulationResult,
): PredictedCall {
  const { name, version, digest } = prepared.with.tool;
  return {
    call: {
      ...subjectOf(prepared),
      simulation: 'done',
      simulated_by: { name, version, digest },
      affected_assets: answer.affected_assets,
      estimated_duration_minutes: answer.estimated_duration_minutes,
      predicted_risk: answer.predicted_risk,
      details: answer.details,
    },
    healthCheckPoints: answer.health_check_points,
  };
}

const subjectOf = ({
  call,
}: PreparedCall): Pick<PredictedCall['call'], 'seq' | 'step_id' | 'tool' | 'tool_version' | 'targets'> => ({
  seq: call.seq,
  step_id: call.step_id,
  tool: call.invocation.tool.name,
  tool_version: call.invocation.tool.version,
  targets: call.invocation.targets,
});
