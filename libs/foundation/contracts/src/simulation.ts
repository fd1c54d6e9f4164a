import { z } from 'zod';
import { pageOf, submitterSchema, timestampSchema, uuidSchema } from './common.js';
import { explanationSchema } from './decision.js';

export const SIMULATION_STATES = ['pending', 'running', 'succeeded', 'failed', 'stale'] as const;
export type SimulationState = (typeof SIMULATION_STATES)[number];

const riskLevelSchema = z.enum(['low', 'medium', 'high', 'critical']);
export type RiskLevel = z.infer<typeof riskLevelSchema>;

/** What a simulation predicts, and what a simulation tool answers for one call. */
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

/** One state-changing call of the plan, and what is predicted of it. */
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

const reason = z.object({ code: z.string(), message: z.string() });
const staleReason = reason.extend({
  details: z.object({ run_id: uuidSchema }).optional().meta({ description: 'The run that touched the targets.' }),
});

/** A simulation as the API shows it. */
const simulationSchema = z
  .object({
    id: uuidSchema,
    plan_id: uuidSchema,
    plan_digest: z.string().meta({ description: 'Of exactly the expanded plan that is simulated.' }),
    state: z.enum(SIMULATION_STATES),
    result: planSimulationResultSchema.nullable(),
    digest: z.string().nullable().meta({ description: 'Of the result; bound by an approval.' }),
    failure: reason.nullable(),
    stale_reason: staleReason.nullable(),
    requested_by: submitterSchema,
    created_at: timestampSchema,
    started_at: timestampSchema.nullable(),
    finished_at: timestampSchema.nullable(),
    expires_at: timestampSchema
      .nullable()
      .meta({ description: 'Until when a result counts, as the rules stood when it came.' }),
  })
  .meta({ id: 'Simulation' });
export type SimulationView = z.infer<typeof simulationSchema>;

export const simulationPageSchema = pageOf(simulationSchema).meta({ id: 'SimulationPage' });

/** A simulation and the decision that let it be asked for. */
export const explainedSimulationSchema = simulationSchema
  .extend({ explanation: explanationSchema.nullable() })
  .meta({ id: 'ExplainedSimulation' });
export type ExplainedSimulationView = z.infer<typeof explainedSimulationSchema>;

/** How near the predictions of a tool came, over every run that has ended and every call that was both predicted and made. */
export const simulationAccuracySchema = z
  .object({
    tools: z.array(
      z.object({
        tool: z.string(),
        runs: z.int(),
        calls: z.int(),
        failed_calls: z.int(),
        predicted_assets: z.int(),
        actual_assets: z.int(),
        exact_runs: z.int().meta({ description: 'Runs whose number of assets was predicted exactly.' }),
        predicted_minutes: z.number(),
        actual_minutes: z.number(),
      }),
    ),
  })
  .meta({ id: 'SimulationAccuracy' });
export type SimulationAccuracyView = z.infer<typeof simulationAccuracySchema>;
