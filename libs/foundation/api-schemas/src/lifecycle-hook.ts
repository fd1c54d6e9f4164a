import { z } from 'zod';
import { MAX_HOOKS_BYTES, timestampSchema, toolNameSchema, uuidSchema } from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { pageOf, pageQuerySchema } from './shared-schemas.js';

/** Longer text is refused before it is read: in UTF-8 it may be larger than the limit in bytes. */
const sourceSchema = z.string().max(MAX_HOOKS_BYTES).meta({ description: 'YAML.' });

export const putLifecycleHooksSchema = z.strictObject({ source: sourceSchema }).meta({ id: 'PutLifecycleHooks' });
export type PutLifecycleHooksBody = z.infer<typeof putLifecycleHooksSchema>;

export const checkedHooksSchema = z
  .object({
    loosens: z.array(z.string()).meta({
      description: 'Each command that would be on, and is not on as it would be: these wait for a second person.',
    }),
  })
  .meta({ id: 'CheckedLifecycleHooks' });
export type CheckedHooksView = z.infer<typeof checkedHooksSchema>;

export const switchLifecycleHookSchema = z.strictObject({ enabled: z.boolean() }).meta({ id: 'SwitchLifecycleHook' });
export type SwitchLifecycleHookBody = z.infer<typeof switchLifecycleHookSchema>;

const EXECUTION_STATES = ['pending', 'sent', 'succeeded', 'failed', 'refused', 'expired'] as const;

export const hookExecutionSchema = z
  .object({
    id: uuidSchema,
    hook: z.string(),
    event: z.string(),
    entry_id: uuidSchema.meta({ description: 'The audit entry that raised the event.' }),
    kind: z.enum(['log', 'command']),
    call: z
      .object({
        program: z.string(),
        arguments: z.array(z.string()),
        variables: z.record(z.string(), z.string()),
        timeout_seconds: z.int(),
      })
      .nullable()
      .meta({ description: 'What is executed, masked. Null for an entry of the log, and if values were refused.' }),
    pool: z.string().nullable(),
    environment: z.string().nullable(),
    state: z.enum(EXECUTION_STATES).meta({
      description: 'pending waits for a runner; refused started nothing; expired found no runner in time.',
    }),
    attempts: z.int(),
    exit_status: z.int().nullable(),
    output: z.string().nullable().meta({ description: 'The beginning of the output, or the message; masked.' }),
    fault: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: timestampSchema,
    settled_at: timestampSchema.nullable(),
  })
  .meta({ id: 'HookExecution' });
export type HookExecutionView = z.infer<typeof hookExecutionSchema>;

export const lifecycleHookViewSchema = z
  .object({
    name: z.string(),
    event: z.string(),
    matcher: z.string(),
    action: z.discriminatedUnion('type', [
      z.object({ type: z.literal('log'), message: z.string() }),
      z.object({
        type: z.literal('command'),
        command: z.array(z.string()),
        variables: z.record(z.string(), z.string()),
        runner: z.object({ pool: z.string(), environment: z.string() }),
        timeout_seconds: z.int(),
      }),
    ]),
    enabled: z.boolean(),
    created_by: uuidSchema,
    created_at: timestampSchema.meta({ description: 'Since when it is as it is.' }),
    latest: hookExecutionSchema.nullable(),
    ...appliedAloneShape,
  })
  .meta({ id: 'LifecycleHookInForce' });
export type LifecycleHookView = z.infer<typeof lifecycleHookViewSchema>;

export const lifecycleHooksSchema = z
  .object({
    source: z.string().meta({ description: 'The hooks in force as YAML, without comments.' }),
    items: z.array(lifecycleHookViewSchema),
    etag: z.string().meta({ description: 'The ETag of the hooks, for the If-Match of a change.' }),
    ...appliedAloneShape,
  })
  .meta({ id: 'LifecycleHooks' });
export type LifecycleHooksView = z.infer<typeof lifecycleHooksSchema>;

export const hookExecutionListSchema = pageOf(hookExecutionSchema).meta({ id: 'HookExecutionList' });

export const hookExecutionQuerySchema = pageQuerySchema.extend({
  hook: z.string().min(1).max(64).optional(),
  state: z.enum(EXECUTION_STATES).optional(),
});
export type HookExecutionQuery = z.infer<typeof hookExecutionQuerySchema>;

export const agentErrorSchema = z
  .strictObject({
    error: z.string().trim().min(1).max(2_000).meta({ description: 'The error in words; masked before it is stored.' }),
    tool: toolNameSchema.optional().meta({ description: 'The tool that the agent used.' }),
  })
  .meta({ id: 'AgentError' });
export type AgentErrorBody = z.infer<typeof agentErrorSchema>;
