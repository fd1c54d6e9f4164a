import { z } from 'zod';

export const SIMULATION_STATES = ['pending', 'running', 'succeeded', 'failed', 'stale'] as const;
export type SimulationState = (typeof SIMULATION_STATES)[number];

export const riskLevelSchema = z.enum(['low', 'medium', 'high', 'critical']);
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
