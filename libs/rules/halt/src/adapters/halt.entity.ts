import { z } from 'zod';
import { storedActorSchema } from '#lib/formats';
import { entity, json, moment, nullable, text, uuid } from '#lib/database';
import type { AgentId, EnvironmentId, HaltId } from '#lib/kernel';
import type { HaltTarget } from '../domain/halt.js';

const left = {
  attempt: z.int(),
  tool: z.string(),
  targets: z.array(z.string()),
  dispatched_at: z.string(),
  state: z.string(),
};
const inFlightCallSchema = z.union([
  z.object({ run_id: z.uuid(), step_id: z.string(), ...left }),
  z.object({ tool_call_id: z.uuid(), ...left }),
]);

const effectSchema = z.object({
  paused_runs: z.array(z.uuid()),
  revoked_grants: z.int(),
  denied_calls: z.array(z.uuid()),
  in_flight: z.array(inFlightCallSchema),
});

export const haltEntity = entity(
  'halt',
  { id: uuid<HaltId>() },
  {
    kind: text<HaltTarget['kind']>(),
    environmentId: nullable(uuid<EnvironmentId>()),
    agentId: nullable(uuid<AgentId>()),
    toolName: nullable(text()),
    reason: text(),
    effect: json(effectSchema),
    createdAt: moment(),
    createdBy: json(storedActorSchema),
    liftedAt: nullable(moment()),
    liftedBy: nullable(json(storedActorSchema)),
    liftNote: nullable(text()),
  },
);
