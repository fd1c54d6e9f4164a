import { z } from 'zod';
import {
  advertisedMcpServersSchema,
  advertisedToolsSchema,
  environmentNameSchema,
  executorNameSchema,
  hookProgramNameSchema,
  slugSchema,
  timestampSchema,
  toolCallRequestSchema,
  toolCallResponseSchema,
  uuidSchema,
} from '#lib/formats';
import { appliedAloneShape, changeRequestSchema } from './change-request.js';

const publicKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the 32 bytes of an Ed25519 public key in base64url')
  .meta({ description: 'Ed25519, the x of its JWK (RFC 8037).' });

const versionSchema = z.string().min(1).max(100);

export const newRunnerSchema = z
  .strictObject({
    name: executorNameSchema.meta({ description: 'Unique among the runners that are not revoked.' }),
    pool: slugSchema.meta({ description: 'The pool whose calls it takes; executors of the kind runner name one.' }),
    environments: z.array(environmentNameSchema).min(1).max(200).meta({
      description: 'The environments that it may work in. It gets no call of any other, and no secret.',
    }),
  })
  .meta({ id: 'NewRunner' });

const worksInSchema = z.array(environmentNameSchema).min(1).max(200).meta({
  description:
    'The environments that its machine works in. It gets calls and secrets of those alone that it was added for, too.',
});

const noWayBackSchema = z.string().min(1).max(300).nullable().meta({
  description: 'The reason why it takes no snapshot of its whole workspace before a command line. Null: it does.',
});

const hooksSchema = z.array(hookProgramNameSchema).max(100).meta({
  description: 'The names of the programs that its operator lists for lifecycle hooks.',
});

export const runnerViewSchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    pool: z.string(),
    environments: z.array(z.string()).meta({ description: 'The environments that it was added for.' }),
    works_in: worksInSchema.nullable(),
    state: z.enum(['invited', 'online', 'offline', 'revoked']).meta({
      description: 'invited: no machine has exchanged its token. offline: it has not called for a minute.',
    }),
    version: z.string().nullable(),
    tools: advertisedToolsSchema.meta({
      description:
        'The tools that it says it has. Risk comes from the catalog alone: a tool that is not there is denied.',
    }),
    hooks: hooksSchema,
    mcp_servers: z
      .array(z.object({ name: z.string(), tools: z.int(), problem: z.string().nullable() }))
      .meta({ description: 'The MCP servers that its operator lists, each with the number of its tools.' }),
    no_way_back: noWayBackSchema,
    created_at: timestampSchema,
    enrolled_at: timestampSchema.nullable(),
    last_seen_at: timestampSchema.nullable(),
    revoked_at: timestampSchema.nullable(),
  })
  .meta({ id: 'Runner' });
export type RunnerView = z.infer<typeof runnerViewSchema>;

export const runnerListSchema = z.object({ items: z.array(runnerViewSchema) }).meta({ id: 'RunnerList' });

const runnerTokenSchema = z.string().meta({
  description:
    'Shown once. A machine becomes the runner with it, once, within an hour from when the runner counts as added.',
});

export const addedRunnerSchema = runnerViewSchema
  .extend({ enrolment_token: runnerTokenSchema, expires_at: timestampSchema, ...appliedAloneShape })
  .meta({ id: 'AddedRunner' });

export const waitingRunnerSchema = changeRequestSchema
  .extend({ enrolment_token: runnerTokenSchema })
  .meta({ id: 'WaitingRunner', description: 'The token opens nothing until a second person confirms the change.' });

export const enrolRunnerSchema = z
  .strictObject({ token: z.string().min(1).max(200), public_key: publicKeySchema, version: versionSchema })
  .meta({ id: 'EnrolRunner' });

export const enrolledRunnerSchema = z
  .object({ tenant_id: uuidSchema, runner_id: uuidSchema, key_id: uuidSchema, name: z.string(), pool: z.string() })
  .meta({ id: 'EnrolledRunner' });

export const runnerHelloSchema = z
  .strictObject({
    version: versionSchema,
    tools: advertisedToolsSchema,
    works_in: worksInSchema,
    hooks: hooksSchema.optional(),
    mcp_servers: advertisedMcpServersSchema.optional(),
    no_way_back: noWayBackSchema.optional(),
    sessions: z
      .array(uuidSchema)
      .max(64)
      .meta({ description: 'Sessions of agents that it keeps a folder for.' })
      .optional(),
  })
  .meta({ id: 'RunnerHello' });

export const greetedRunnerSchema = z
  .object({
    environments: z.array(z.string()).meta({ description: 'The environments that it was added for.' }),
    ended_sessions: z
      .array(uuidSchema)
      .meta({ description: 'Those of its sessions that have ended: it removes their folders.' }),
  })
  .meta({ id: 'GreetedRunner' });

export const runnerGoodbyeSchema = z.strictObject({}).meta({ id: 'RunnerGoodbye' });

export const newRunnerKeySchema = z.strictObject({ public_key: publicKeySchema }).meta({ id: 'NewRunnerKey' });

export const runnerKeySchema = z.object({ key_id: uuidSchema }).meta({ id: 'RunnerKey' });

export const takeRunnerCallQuerySchema = z.strictObject({
  wait_seconds: z.coerce.number().int().min(0).max(25).default(0).meta({ description: 'How long to wait for a call.' }),
});

export const takeRunnerCallSchema = z
  .strictObject({
    held: z.array(uuidSchema).max(64).meta({
      description: 'The calls that it holds, started or not. A call that it took and does not hold comes again.',
    }),
  })
  .meta({ id: 'TakeRunnerCall' });

export const runnerCallSchema = z
  .object({
    call: z
      .object({
        id: uuidSchema,
        grant: z.string().meta({ description: 'Verify it and redeem it before anything else.' }),
        request: toolCallRequestSchema,
        answer_within_ms: z
          .number()
          .meta({ description: 'An answer that comes later is kept on record, and counts no more.' }),
      })
      .nullable()
      .meta({ description: 'Null if no call came in time.' }),
  })
  .meta({ id: 'RunnerCall' });
export type RunnerCallView = z.infer<typeof runnerCallSchema>;

export const runnerOutputSchema = z
  .strictObject({
    first_seq: z.int().min(1).max(1_000_000).meta({ description: 'The number of the first chunk, from 1.' }),
    chunks: z
      .array(z.strictObject({ stream: z.enum(['stdout', 'stderr']), text: z.string().min(1).max(16_000) }))
      .min(1)
      .max(64),
  })
  .meta({ id: 'RunnerOutput' });

export const runnerResultSchema = z.strictObject({ answer: toolCallResponseSchema }).meta({ id: 'RunnerResult' });

export const runnerCallStateSchema = z
  .object({
    state: z.enum(['waiting', 'taken', 'answered', 'lost', 'answered_late', 'withdrawn']).meta({
      description: 'answered_late: its effect counts as unknown; a person resolves the step by the answer on record.',
    }),
  })
  .meta({ id: 'RunnerCallState' });

export const runnerCallsQuerySchema = z.strictObject({
  source_id: uuidSchema.meta({ description: 'The run, or the single call, that the calls were made for.' }),
});

const seenRunnerCallSchema = z
  .object({
    id: uuidSchema,
    ...runnerCallStateSchema.shape,
    source: z.object({ type: z.string(), id: uuidSchema }),
    step: z.string(),
    attempt: z.int(),
    tool: z.string(),
    pool: z.string(),
    runner_id: uuidSchema.nullable(),
    offered_at: timestampSchema,
    taken_at: timestampSchema.nullable(),
    ended_at: timestampSchema.nullable(),
    answer: toolCallResponseSchema.nullable(),
  })
  .meta({ id: 'SeenRunnerCall' });
export type SeenRunnerCall = z.infer<typeof seenRunnerCallSchema>;

export const runnerCallListSchema = z.object({ items: z.array(seenRunnerCallSchema) }).meta({ id: 'RunnerCallList' });

export const seenOutputSchema = z
  .object({
    chunks: z.array(z.object({ seq: z.int(), stream: z.enum(['stdout', 'stderr']), text: z.string() })),
    cut: z.boolean().meta({ description: 'Whether output beyond 262144 bytes was left out.' }),
    open: z.boolean().meta({ description: 'Whether more may come.' }),
  })
  .meta({ id: 'SeenOutput' });
