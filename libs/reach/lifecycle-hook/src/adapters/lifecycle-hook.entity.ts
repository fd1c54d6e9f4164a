import { z } from 'zod';
import { boolean, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { PersonId } from '#lib/kernel';
import type { ExecutionState } from '../domain/hook-execution.js';
import type { HookExecutionId, LifecycleHookId } from '../domain/ids.js';
import type { HookAction } from '../domain/lifecycle-hook.js';

const actionSchema: z.ZodType<HookAction> = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('log'), message: z.string() }),
  z.strictObject({
    type: z.literal('command'),
    program: z.string(),
    arguments: z.array(z.string()),
    variables: z.record(z.string(), z.string()),
    timeoutSeconds: z.int(),
    pool: z.string(),
    environment: z.string(),
  }),
]);

export const lifecycleHookEntity = entity(
  'lifecycle_hook',
  { id: uuid<LifecycleHookId>() },
  {
    name: text(),
    position: integer(),
    event: text(),
    matcher: text(),
    action: json(actionSchema),
    enabled: boolean(),
    createdBy: uuid<PersonId>(),
    createdAt: moment(),
    seal: text(),
  },
);

export const hookExecutionEntity = entity(
  'lifecycle_hook_execution',
  { id: uuid<HookExecutionId>() },
  {
    hookId: uuid<LifecycleHookId>(),
    hook: text(),
    event: text(),
    entryId: uuid(),
    kind: text<'log' | 'command'>(),
    call: nullable(text()),
    pool: nullable(text()),
    environment: nullable(text()),
    state: text<ExecutionState>(),
    attempts: integer(),
    nextAttemptAt: moment(),
    leasedUntil: nullable(moment()),
    exitStatus: nullable(integer()),
    output: nullable(text()),
    faultCode: nullable(text()),
    faultMessage: nullable(text()),
    createdAt: moment(),
    settledAt: nullable(moment()),
  },
);
