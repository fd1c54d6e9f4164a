import { z } from 'zod';
import type { SimulationState } from '#lib/formats';
import { anyJson, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { DecisionId, Digest, PlanId, RunId, SimulationId } from '#lib/kernel';
import { SUBMITTER } from '#lib/task';
import type { SimulationReason } from '../domain/simulation.js';

const reason: z.ZodType<SimulationReason> = z.looseObject({ code: z.string(), message: z.string() });

export const simulationEntity = entity(
  'simulation',
  { id: uuid<SimulationId>() },
  {
    planId: uuid<PlanId>(),
    planDigest: text<Digest>(),
    decisionId: uuid<DecisionId>(),
    ...SUBMITTER,
    state: text<SimulationState>(),
    result: nullable(text()),
    digest: nullable(text<Digest>()),
    failure: nullable(json(reason)),
    staleReason: nullable(json(reason)),
    fence: integer(),
    nextAt: nullable(moment()),
    createdAt: moment(),
    startedAt: nullable(moment()),
    finishedAt: nullable(moment()),
  },
);

/** Predicted beside actual for a tool in one run. Only the database reads the documents, to add them up. */
export const simulationOutcomeEntity = entity(
  'simulation_outcome',
  { id: uuid() },
  {
    simulationId: uuid<SimulationId>(),
    runId: uuid<RunId>(),
    toolName: text(),
    predicted: json(anyJson),
    actual: json(anyJson),
  },
);
