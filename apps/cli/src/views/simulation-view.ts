import pc from 'picocolors';
import type { SimulationView } from '#lib/api-schemas';
import type { PlanSimulationResult } from '#lib/formats';
import { counted, duration, fields, indented, moment, oneLine, state } from '../output.js';
import { namesText } from './names.js';

/** The prediction of a simulation for the whole plan. */
export function predictionLines(result: PlanSimulationResult): string[] {
  const unpredicted = result.details.calls.filter((call) => call.simulation === 'not_applicable');
  const tools = [...new Set(unpredicted.map((call) => call.tool))];
  const predictors = [
    ...new Set(result.details.calls.flatMap(({ simulated_by: by }) => (by === null ? [] : [by.name]))),
  ];
  return [
    ...(result.affected_assets === 0 && tools.length === 0
      ? [pc.yellow('the simulation finds nothing that this plan changes')]
      : []),
    ...fields([
      ['assets', String(result.affected_assets)],
      [
        'duration',
        `${duration(result.estimated_duration_minutes * 60)}, ${duration(result.details.wait_minutes * 60)} of them waiting`,
      ],
      ['risk', `${result.predicted_risk}, as predicted by ${predictors.map(oneLine).join(', ') || 'nobody'}`],
      ...(result.health_check_points.length === 0
        ? []
        : [['look at', result.health_check_points.map(oneLine).join('; ')] as const]),
    ]),
    ...tools.map((tool) => {
      const calls = unpredicted.filter((call) => call.tool === tool);
      const targets = namesText([...new Set(calls.flatMap((call) => call.targets))]);
      return pc.yellow(`${counted(calls.length, 'call')} of ${oneLine(tool)} cannot be predicted: ${targets}`);
    }),
  ];
}

export function simulationLines(simulation: SimulationView): string[] {
  const why = simulation.failure ?? simulation.stale_reason;
  return [
    `${pc.bold('simulation')} ${simulation.id}: ${state(simulation.state)}`,
    ...(why === null ? [] : [oneLine(why.message)]),
    ...fields([
      ['plan', simulation.plan_id],
      ...(simulation.expires_at === null ? [] : [['good until', moment(simulation.expires_at)] as const]),
    ]),
    ...(simulation.result === null ? [] : indented(predictionLines(simulation.result))),
  ];
}

/** A level of risk in its colour. */
export function riskText(risk: PlanSimulationResult['predicted_risk']): string {
  if (risk === 'low') return pc.green(risk);
  return risk === 'medium' ? pc.yellow(risk) : pc.red(risk);
}
