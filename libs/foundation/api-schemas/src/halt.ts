import { z } from 'zod';
import { HALT_KINDS, lineSchema, slugSchema, timestampSchema, toolNameSchema, uuidSchema } from '#lib/formats';
import { actorSchema, pageOf, pageQuerySchema } from './shared-schemas.js';

const reason = lineSchema(2_000);

/** One request stops a tenant, an environment, an agent or a tool; it holds at once. */
export const createHaltSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('tenant'), reason }),
    z.strictObject({ kind: z.literal('environment'), environment: slugSchema, reason }),
    z.strictObject({ kind: z.literal('agent'), agent_id: uuidSchema, reason }),
    z.strictObject({ kind: z.literal('tool'), tool: toolNameSchema, reason }),
  ])
  .meta({ id: 'CreateHalt' });
export type CreateHaltBody = z.infer<typeof createHaltSchema>;

export const liftHaltSchema = z
  .strictObject({ note: lineSchema(2_000).meta({ description: 'The reason why it is safe to go on.' }) })
  .meta({ id: 'LiftHalt' });

const left = {
  attempt: z.int().min(1),
  tool: z.string(),
  targets: z.array(z.string()),
  dispatched_at: timestampSchema,
  state: z.string().meta({ description: "The attempt's state when the halt was set." }),
};

/** A call that had left before the halt: its run, or the single call, shows whether it took effect. */
const inFlightCallSchema = z
  .union([
    z.object({ run_id: uuidSchema, step_id: z.string(), ...left }),
    z.object({ tool_call_id: uuidSchema, ...left }),
  ])
  .meta({ id: 'InFlightCall' });

export const haltSchema = z
  .object({
    id: uuidSchema,
    kind: z.enum(HALT_KINDS),
    environment: z.object({ id: uuidSchema, name: z.string() }).nullable(),
    agent_id: uuidSchema.nullable(),
    tool: z.string().nullable(),
    reason: z.string(),
    active: z.boolean(),
    created_at: timestampSchema,
    created_by: actorSchema,
    lifted_at: timestampSchema.nullable(),
    lifted_by: actorSchema.nullable(),
    lift_note: z.string().nullable(),
    effect: z
      .object({
        paused_runs: z.array(uuidSchema).meta({ description: 'Runs that were asked to pause.' }),
        revoked_grants: z.int().min(0).meta({ description: 'Grants that were not redeemed yet.' }),
        denied_calls: z.array(uuidSchema).meta({ description: 'Single calls that were allowed and had not left.' }),
        in_flight: z.array(inFlightCallSchema).meta({ description: 'Calls that had already left.' }),
      })
      .meta({ description: 'The calls and grants that the halt found when it was set.' }),
  })
  .meta({ id: 'Halt' });
export type HaltView = z.infer<typeof haltSchema>;

export const haltListSchema = pageOf(haltSchema).meta({ id: 'HaltList' });

export const haltQuerySchema = pageQuerySchema.extend({ active: z.enum(['true', 'false']).optional() });
export type HaltQuery = z.infer<typeof haltQuerySchema>;
