import { z } from 'zod';

const riskLevelSchema = z.enum(['low', 'medium', 'high', 'critical']);
export type RiskLevel = z.infer<typeof riskLevelSchema>;

/** The prediction of a simulation, and the answer of a simulation tool for one call. */
export const simulationResultSchema = z
  .strictObject({
    affected_assets: z.number().int().min(0),
    estimated_duration_minutes: z.number().min(0),
    predicted_risk: riskLevelSchema,
    health_check_points: z.array(z.string().max(200)).max(1_000),
    details: z.json(),
  })
  .meta({ id: 'SimulationResult' });
export type SimulationResult = z.infer<typeof simulationResultSchema>;

/** One state-changing call of the plan, and the prediction for it. */
const simulatedCallSchema = z
  .strictObject({
    seq: z.int().min(1),
    step_id: z.string(),
    tool: z.string(),
    tool_version: z.int(),
    targets: z.array(z.string()),
    /** `not_applicable`: the tool is declared to need no simulation; the numbers are null. */
    simulation: z.enum(['done', 'not_applicable']),
    simulated_by: z.strictObject({ name: z.string(), version: z.int(), digest: z.string() }).nullable(),
    affected_assets: z.int().nullable(),
    estimated_duration_minutes: z.number().nullable(),
    predicted_risk: riskLevelSchema,
    details: z.json(),
  })
  .meta({ id: 'SimulatedCall' });

/** The `details` of a whole plan's simulation. */
const simulationDetailsSchema = z
  .strictObject({ calls: z.array(simulatedCallSchema), wait_minutes: z.number().min(0) })
  .meta({ id: 'SimulationDetails' });
export type SimulationDetails = z.infer<typeof simulationDetailsSchema>;

/** The result of a whole plan's simulation. */
export const planSimulationResultSchema = simulationResultSchema
  .extend({ details: simulationDetailsSchema })
  .meta({ id: 'PlanSimulationResult' });
export type PlanSimulationResult = z.infer<typeof planSimulationResultSchema>;
