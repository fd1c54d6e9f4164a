import { z } from 'zod';
import { timestampSchema, TOOL_CALL_DECISIONS, TOOL_CALL_STATES, TOOL_LEVELS, uuidSchema } from '#lib/formats';
import { pageOf, pageQuerySchema, submitterSchema } from './shared-schemas.js';
import { pathVerdictSchema } from './path-verdict.js';
import { shellVerdictSchema } from './shell-verdict.js';

const faultSchema = z.object({ code: z.string(), message: z.string() }).nullable();

/** A call of a session: the question, its answer, and its outcome. */
export const sessionCallSchema = z
  .object({
    id: uuidSchema,
    tool: z.string(),
    tool_version: z.int().min(1),
    submitter: submitterSchema,
    client_call_id: z.string().nullable(),
    turn_id: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'The submitter’s own words, masked.' }),
    arguments: z.record(z.string(), z.json()),
    targets: z.array(z.string()),
    risk: z.enum(TOOL_LEVELS).meta({
      description: 'Of a command line by its class, else of the tool. If the level of its paths is higher, it is that.',
    }),
    category: z.string().meta({ description: 'The kind of work, such as workspace-write.' }),
    impact: z.string().meta({
      description: 'The effect in one line, from the call alone; while it waits also if there is no way back.',
    }),
    command: z.string().nullable().meta({ description: 'The command line that it would execute; null without one.' }),
    shell: shellVerdictSchema.nullable().meta({ description: 'The verdict on the command line.' }),
    paths: pathVerdictSchema.nullable().meta({ description: 'The verdict on the paths that it names.' }),
    state: z.enum(TOOL_CALL_STATES),
    decision: z.enum(TOOL_CALL_DECISIONS).nullable().meta({ description: 'Null while it is pending.' }),
    denial: faultSchema.meta({ description: 'The reason for its denial, if not by policy.' }),
    decision_id: uuidSchema.meta({ description: 'The policy decision, with its reasons.' }),
    request_id: uuidSchema.nullable().meta({ description: 'The approval request, if people are asked.' }),
    asked_at: timestampSchema,
    answer_by: timestampSchema.nullable().meta({ description: 'Without an answer until then it is denied.' }),
    decided_at: timestampSchema.nullable(),
    executor: z.string().nullable().meta({ description: 'Null if the agent executes.' }),
    result: z.json().nullable(),
    error: faultSchema.meta({ description: 'The reason of its failure, or the reason that its outcome is unknown.' }),
    finished_at: timestampSchema.nullable(),
  })
  .meta({ id: 'SessionCall' });
export type SessionCallView = z.infer<typeof sessionCallSchema>;

export const sessionCallListSchema = pageOf(sessionCallSchema).meta({ id: 'SessionCallList' });

/** Of the calls of a session, those that wait, and no others: hundreds of newer ones may stand before them. */
export const sessionCallQuerySchema = pageQuerySchema.extend({
  state: z.literal('pending').optional().meta({ description: 'Only the calls that wait for people.' }),
});
export type SessionCallQuery = z.infer<typeof sessionCallQuerySchema>;
