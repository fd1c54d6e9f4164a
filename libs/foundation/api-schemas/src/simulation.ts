import { z } from 'zod';
import { planSimulationResultSchema, SIMULATION_STATES, timestampSchema, uuidSchema } from '#lib/formats';
import { pageOf, submitterSchema } from './shared-schemas.js';
import { explanationSchema } from './decision.js';

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

/** The accuracy of a tool's predictions. It is taken over every ended run and every call that was both predicted and made. */
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
        exact_runs: z.int().meta({ description: 'Runs with a number of assets that was predicted exactly.' }),
        predicted_minutes: z.number(),
        actual_minutes: z.number(),
      }),
    ),
  })
  .meta({ id: 'SimulationAccuracy' });
export type SimulationAccuracyView = z.infer<typeof simulationAccuracySchema>;
