import { z } from 'zod';
import { automationInputsSchema } from './automation-inputs.js';
import { automationTriggerSchema } from './automation-triggers.js';
import { environmentNameSchema, toolNameSchema } from './names.js';
import { lineSchema, slugSchema } from './primitives.js';
import { conditionTextSchema } from './task-spec.js';

/** The largest automation document, as UTF-8 bytes. */
export const MAX_AUTOMATION_BYTES = 64 * 1024;

const stepId = slugSchema.meta({ description: 'A name of its own within the automation.' });

const toolActionSchema = z
  .strictObject({
    id: stepId,
    type: z.literal('tool_action').meta({ description: 'Calls a tool.' }),
    tool: toolNameSchema.meta({ description: 'A tool of the catalog that is safe for automations.' }),
    arguments: z.record(z.string(), z.json()).default({}).meta({
      description:
        "Checked against the tool's parameters. `{$secret: name@version}` is resolved at dispatch. `{{inputs.NAME}}` fills a whole value.",
    }),
  })
  .meta({ id: 'ToolActionStep' });

const conditionSchema = z
  .strictObject({
    id: stepId,
    type: z.literal('condition').meta({ description: 'Ends the run as completed unless it holds.' }),
    if: conditionTextSchema.meta({
      description:
        "As of a plan: `check.unhealthy >= 1` reads the number `unhealthy` in the result's `metrics` of the earlier step `check`.",
    }),
  })
  .meta({ id: 'ConditionStep' });

const notifySchema = z
  .strictObject({
    id: stepId,
    type: z.literal('notify').meta({ description: 'Tells the owner, and the channel of the environment.' }),
    message: lineSchema(500).meta({ description: 'One line.' }),
  })
  .meta({ id: 'NotifyStep', description: 'It is sent also if an earlier step was blocked or failed.' });

const automationStepSchema = z
  .discriminatedUnion('type', [toolActionSchema, conditionSchema, notifySchema])
  .meta({ id: 'AutomationStep' });
export type AutomationStep = z.infer<typeof automationStepSchema>;

/** Work that Countersign does unattended: when, and which steps. */
export const automationDocumentSchema = z
  .strictObject({
    name: slugSchema.meta({ description: 'Unique in the tenant; it never changes.' }),
    description: z.string().trim().min(1).max(2_000).optional().meta({ description: 'Its purpose, for people.' }),
    environment: environmentNameSchema.meta({ description: 'The environment of every call.' }),
    inputs: automationInputsSchema,
    triggers: z.array(automationTriggerSchema).min(1).max(20).meta({ description: 'Each of them starts runs.' }),
    most_per_hour: z.int().min(1).max(1_000).default(60).meta({
      description:
        'So many runs in an hour, those by a schedule left aside. Further events pause the automation; further requests are refused.',
    }),
    overlap: z.enum(['skip', 'queue']).default('skip').meta({
      description:
        'A run is due while another one goes on: skip leaves it out, on record; queue keeps up to 10, one after another.',
    }),
    on_blocked: z.enum(['fail', 'skip']).default('fail').meta({
      description: 'A step is blocked: fail ends the run as failed; skip goes on with the next step.',
    }),
    pause_after: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .meta({ description: 'So many failed runs in a row pause the automation, and its owner is told.' }),
    steps: z.array(automationStepSchema).min(1).max(50).meta({ description: 'In order.' }),
  })
  .meta({ id: 'AutomationDocument', description: 'Steps that Countersign carries out while nobody watches.' });
export type AutomationDocument = z.infer<typeof automationDocumentSchema>;
