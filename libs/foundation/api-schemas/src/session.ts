import { z } from 'zod';
import {
  lineSchema,
  MAX_CALLS_PER_SESSION,
  environmentNameSchema,
  SESSION_ENDS,
  SESSION_STATES,
  timestampSchema,
  toolNameSchema,
  uuidSchema,
} from '#lib/formats';
import { SESSION_LEVELS, SESSION_MODES, SESSION_PRESETS } from '#lib/policy-inputs';
import { actorSchema, pageOf, pageQuerySchema, submitterSchema } from './shared-schemas.js';

const settings = {
  preset: z.enum(SESSION_PRESETS).nullable().meta({
    description: 'The rules that say which calls ask a person. Null: the strictest of tiers and levels.',
  }),
  level: z.enum(SESSION_LEVELS).meta({ description: 'Of the preset levels.' }),
  mode: z.enum(SESSION_MODES).meta({ description: 'Of the preset modes.' }),
};

const limits = {
  idle_seconds: z
    .int()
    .min(60)
    .max(86_400)
    .meta({ description: 'It ends after resting for so long, with no call in flight.' }),
  approval_seconds: z
    .int()
    .min(10)
    .max(3_600)
    .meta({ description: 'How long a call waits for a person before it is denied.' }),
  calls_per_turn: z
    .int()
    .min(1)
    .max(64)
    .meta({ description: 'The most tool calls of one turn, and the most in flight at once.' }),
  call_budget: z
    .int()
    .min(1)
    .max(MAX_CALLS_PER_SESSION)
    .meta({ description: 'The most tool calls of the whole session.' }),
};

/** Opens a session. A member that is left out takes its default. */
export const openSessionSchema = z
  .strictObject({
    environment: environmentNameSchema,
    agent_ids: z
      .array(uuidSchema)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'An agent leaves it out, and opens a session for itself.' }),
    preset: settings.preset.default(null),
    level: settings.level.default('SUPERVISED'),
    mode: settings.mode.default('ask-on-write'),
    model: lineSchema(200).optional().meta({ description: 'The model behind the agent; it decides nothing.' }),
    idle_seconds: limits.idle_seconds.default(3_600),
    approval_seconds: limits.approval_seconds.default(120),
    calls_per_turn: limits.calls_per_turn.default(8),
    call_budget: limits.call_budget
      .optional()
      .meta({ description: 'By default `calls_per_session` of the autonomy document, or 500.' }),
  })
  .meta({ id: 'OpenSession' });
export type OpenSessionBody = z.infer<typeof openSessionSchema>;

/** The next call is decided by it. A token may only tighten. */
export const changeSessionSchema = z
  .strictObject({
    preset: settings.preset.exactOptional(),
    level: settings.level.exactOptional(),
    mode: settings.mode.exactOptional(),
    call_budget: limits.call_budget.exactOptional(),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'must name preset, level, mode or call_budget' })
  .meta({ id: 'ChangeSession' });
export type ChangeSessionBody = z.infer<typeof changeSessionSchema>;

export const endSessionSchema = z
  .strictObject({
    reason: z
      .enum(['closed', 'cancelled'])
      .default('closed')
      .meta({ description: 'Its pending calls are denied either way.' }),
  })
  .meta({ id: 'EndSession' });
export type EndSessionBody = z.infer<typeof endSessionSchema>;

export const sessionSchema = z
  .object({
    id: uuidSchema,
    environment: z.object({ id: uuidSchema, name: z.string() }),
    agent_ids: z.array(uuidSchema),
    ...settings,
    revision: z.int().min(1).meta({ description: 'Counts the changes of preset, level, mode and call_budget.' }),
    model: z.string().nullable(),
    ...limits,
    calls_made: z.int().min(0).meta({ description: 'Of `call_budget`; denied calls count.' }),
    state: z.enum(SESSION_STATES),
    ended_reason: z.enum(SESSION_ENDS).nullable(),
    opened_by: submitterSchema,
    opened_at: timestampSchema,
    last_used_at: timestampSchema.meta({ description: 'To ten seconds.' }),
    idle_at: timestampSchema.meta({
      description: 'When it ends unless it is used before, or a call of it is in flight then.',
    }),
    ended_at: timestampSchema.nullable(),
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof sessionSchema>;

export const sessionListSchema = pageOf(sessionSchema).meta({ id: 'SessionList' });

export const sessionQuerySchema = pageQuerySchema.extend({
  state: z.enum(SESSION_STATES).optional(),
  agent_id: uuidSchema.optional(),
});
export type SessionQuery = z.infer<typeof sessionQuerySchema>;

/** A person's "always": later calls of this tool and shape do not ask because of the preset. */
export const sessionTrustSchema = z
  .object({
    id: uuidSchema,
    tool: toolNameSchema,
    shape: z.json().meta({ description: 'Of a command line program, subcommand and flags; else the identity fields.' }),
    made_by: uuidSchema.meta({ description: 'The person who said it.' }),
    made_at: timestampSchema,
    revoked_at: timestampSchema.nullable(),
    revoked_by: actorSchema.nullable(),
  })
  .meta({ id: 'SessionTrust' });
export type SessionTrustView = z.infer<typeof sessionTrustSchema>;

export const sessionTrustListSchema = pageOf(sessionTrustSchema).meta({ id: 'SessionTrustList' });
