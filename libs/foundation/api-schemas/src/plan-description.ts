import { z } from 'zod';
import { TOOL_LEVELS } from '#lib/formats';
import { pathVerdictSchema } from './path-verdict.js';
import { shellVerdictSchema } from './shell-verdict.js';

const argumentSchema = z
  .object({ name: z.string(), value: z.json() })
  .meta({ id: 'ShownArgument', description: 'As it is sent; a secret by its name.' });

const shownToolSchema = z
  .object({
    name: z.string(),
    version: z.int(),
    executor: z.string().meta({ description: 'The executor that the call is sent to.' }),
    risk: z.string().meta({
      description:
        'As the registry classifies the tool, or as its command line and paths are judged; `unknown` if the registry no longer says.',
    }),
    effect: z.string(),
    idempotent: z.boolean(),
  })
  .meta({ id: 'ShownTool' });

export const shownLineSchema = shellVerdictSchema
  .omit({ allow_listed: true, network: true })
  .extend({
    argument: z.string().meta({ description: 'JSON Pointer to the argument that is the command line.' }),
    command: z.string(),
  })
  .meta({ id: 'ShownLine', description: 'A command line and its verdict; approvals bind tier, class and tree.' });

/** One side of a group of calls: the action of each, or the action that undoes it. */
const shownSideSchema = z.object({
  tool: shownToolSchema,
  shell: shownLineSchema.nullable().meta({ description: 'The command line; null if the tool takes none.' }),
  paths: pathVerdictSchema
    .nullable()
    .meta({ description: 'If they make the calls graver than the tool says; else null.' }),
  arguments: z.array(argumentSchema).meta({ description: 'The other arguments, the same in every call.' }),
  targets_as: z.array(z.string()).meta({ description: "Names of arguments that hold exactly the call's targets." }),
});

const shownCallSchema = z.object({
  seq: z.int().min(1),
  batch: z.int().min(1),
  targets: z.array(z.string()),
  arguments: z.array(argumentSchema).meta({ description: 'In which it differs from the others of its group.' }),
  undo_targets: z.array(z.string()).nullable().meta({ description: 'If they are not those of the call; else null.' }),
  undo_arguments: z.array(argumentSchema),
});

const shownStepSchema = z
  .object({
    step_id: z.string(),
    on_failure: z.enum(['pause', 'rollback', 'retry']),
    call: shownSideSchema,
    undo: shownSideSchema.nullable().meta({ description: 'The call that undoes each; null if nothing does.' }),
    spread: z.enum(['environment', 'batch', 'target', 'listed']).meta({
      description: 'One call for the environment, for each batch, for each target; or as `calls` lists them.',
    }),
    calls: z.array(shownCallSchema),
  })
  .meta({ id: 'ShownStep', description: 'Calls of one step that differ only as `calls` lists.' });

const shownCheckSchema = z
  .object({
    name: z.string(),
    call: shownSideSchema.meta({ description: '`targets_as` names arguments that hold the targets of the batch.' }),
    checks: z.array(z.object({ batch: z.int(), targets: z.array(z.string()), arguments: z.array(argumentSchema) })),
  })
  .meta({ id: 'ShownHealthCheck' });

const shownPhaseSchema = z
  .object({
    number: z.int().min(1),
    name: z.string(),
    canary: z.boolean(),
    batches: z.array(z.object({ number: z.int().min(1), targets: z.array(z.string()) })),
    steps: z.array(shownStepSchema),
    wait_seconds: z.int().meta({ description: 'After each batch, before its health checks.' }),
    health_checks: z.array(shownCheckSchema),
    rollback_if: z.string().nullable(),
  })
  .meta({ id: 'ShownPhase' });

/** The actions of a plan, for people: from the expanded plan and the registry, never from a submitter's words. */
export const planDescriptionSchema = z
  .object({
    headline: z.string().meta({ description: 'The plan in one line.' }),
    risk: z.enum(TOOL_LEVELS).meta({ description: 'The level of its riskiest tool.' }),
    revision: z.int().min(1),
    environment: z.string(),
    targets: z.array(z.string()).meta({ description: 'Distinct.' }),
    phases: z.array(shownPhaseSchema),
  })
  .meta({ id: 'PlanDescription' });
export type PlanDescription = z.infer<typeof planDescriptionSchema>;
export type ShownPhase = PlanDescription['phases'][number];
export type ShownStep = ShownPhase['steps'][number];
export type ShownSide = ShownStep['call'];
export type ShownArgument = ShownSide['arguments'][number];
export type ShownLine = NonNullable<ShownSide['shell']>;

/** The agent's own words of a plan, as people read them. */
export const agentWordsAnswer = z
  .array(z.string())
  .meta({ description: "The plan in the agent's own words, for people. They decide nothing." });

/** The summary of a plan in a row of a list. */
export const headlineShape = {
  headline: z.string().nullable().meta({ description: 'The plan in one line; null if there is no valid plan.' }),
  plan_risk: z.enum(TOOL_LEVELS).nullable().meta({ description: "The level of the plan's riskiest tool." }),
};
