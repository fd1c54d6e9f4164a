import { actorSchema, haltSchema } from '#lib/api-schemas';
import { entity, json, moment, nullable, text, uuid } from '#lib/database';
import type { AgentId, EnvironmentId, HaltId } from '#lib/kernel';
import type { HaltTarget } from '../domain/halt.js';

export const haltEntity = entity(
  'halt',
  { id: uuid<HaltId>() },
  {
    kind: text<HaltTarget['kind']>(),
    environmentId: nullable(uuid<EnvironmentId>()),
    agentId: nullable(uuid<AgentId>()),
    toolName: nullable(text()),
    reason: text(),
    effect: json(haltSchema.shape.effect),
    createdAt: moment(),
    createdBy: json(actorSchema),
    liftedAt: nullable(moment()),
    liftedBy: nullable(json(actorSchema)),
    liftNote: nullable(text()),
  },
);
