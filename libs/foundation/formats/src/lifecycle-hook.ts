import { z } from 'zod';
import { environmentNameSchema } from './names.js';
import { slugSchema } from './primitives.js';

/** The largest document of lifecycle hooks, as UTF-8 bytes. */
export const MAX_HOOKS_BYTES = 64 * 1024;
/** The most hooks of a tenant. */
const MAX_HOOKS = 50;
/** The time limit of a command hook, in seconds. No hook has more. */
const HOOK_SECONDS = 30;

/** The two events of hooks alone, those of tools, and all events of webhooks: one by one or a group. */
const EVENT =
  /^(tool\.(execute|started|completed|failed)|agent\.error|(task|plan|approval|run|incident|session|guardrail)\.(\*|[a-z][a-z0-9_]{0,79}))$/;

const hookRunnerSchema = z
  .strictObject({
    pool: slugSchema.meta({ description: 'The pool of runners that executes it.' }),
    environment: environmentNameSchema.meta({ description: 'An environment that these runners work in.' }),
  })
  .meta({ id: 'HookRunner' });

const logActionSchema = z
  .strictObject({
    type: z.literal('log').meta({ description: 'Writes an entry of the audit log.' }),
    message: z.string().min(1).max(2_000).meta({ description: 'Text; {{placeholders}} may stand anywhere in it.' }),
  })
  .meta({ id: 'HookLogAction' });

/** No name by which a program or its interpreter is steered: PATH, LD_PRELOAD, NODE_OPTIONS … */
const variableNameSchema = z
  .string()
  .regex(/^HOOK_[A-Z0-9_]{1,60}$/, 'must begin with HOOK_ and be in capital letters');

const commandActionSchema = z
  .strictObject({
    type: z.literal('command').meta({ description: 'Executes a program on a runner, without a shell.' }),
    command: z.union([z.string().min(1).max(2_000), z.array(z.string().max(2_000)).min(1).max(64)]).meta({
      description:
        'The name under which the operator of the runner lists a program, and its arguments. They are words with spaces between, or a list. A {{placeholder}} is one whole argument.',
    }),
    variables: z
      .record(variableNameSchema, z.string().max(2_000))
      .default({})
      .meta({ description: 'Environment variables; a {{placeholder}} is the whole value.' }),
    runner: hookRunnerSchema
      .optional()
      .meta({ description: 'The runners that execute it; without it, those of the document.' }),
    timeout_seconds: z
      .int()
      .min(1)
      .max(HOOK_SECONDS)
      .default(HOOK_SECONDS)
      .meta({ description: 'The time limit of the program.' }),
  })
  .meta({ id: 'HookCommandAction' });

const lifecycleHookSchema = z
  .strictObject({
    name: slugSchema.meta({ description: 'Unique in the document.' }),
    event: z
      .string()
      .regex(EVENT, 'must be tool.execute, agent.error, an event such as run.failed, or a group such as run.*')
      .meta({ description: 'tool.execute, agent.error, or an event or a group of events as webhooks have them.' }),
    matcher: z.string().min(1).max(200).default('*').meta({
      description: 'A glob over the name of the tool or of the agent; for other events over the name of the event.',
    }),
    action: z
      .discriminatedUnion('type', [commandActionSchema, logActionSchema])
      .meta({ description: 'What is done at the event.' }),
    enabled: z.boolean().default(true).meta({ description: 'Whether it is on.' }),
  })
  .meta({ id: 'LifecycleHook' });
export type LifecycleHookDocument = z.infer<typeof lifecycleHookSchema>;

/** The lifecycle hooks of a tenant, as its admins write them. */
export const lifecycleHooksDocumentSchema = z
  .strictObject({
    runner: hookRunnerSchema.optional().meta({ description: 'The runners of each command hook that names none.' }),
    hooks: z.array(lifecycleHookSchema).max(MAX_HOOKS).meta({ description: 'All hooks of the tenant.' }),
  })
  .meta({ id: 'LifecycleHooksDocument' });

/** The name under which the operator of a runner lists a program of hooks. It is a name alone, never a path that is looked up. */
export const hookProgramNameSchema = z
  .string()
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._/-]*$/,
    'must begin with a letter or digit and hold only letters, digits and . _ / -',
  );

/** The tool that a runner carries hooks out as. No catalog has it: a grant for it is made out for an execution of a hook alone. */
export const HOOK_TOOL = 'lifecycle-hook';

/** The executor that runners are for hooks; each environment has its own. */
export const hookAudience = (environment: string): string => `lifecycle-hook.${environment}`;

/** The arguments of a call of {@link HOOK_TOOL}. */
export const hookCallSchema = z.strictObject({
  program: hookProgramNameSchema,
  arguments: z.array(z.string().max(16_384)).max(64),
  variables: z.record(variableNameSchema, z.string().max(16_384)),
  timeout_seconds: z.int().min(1).max(HOOK_SECONDS),
});
export type HookCall = z.infer<typeof hookCallSchema>;
