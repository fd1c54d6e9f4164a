import { z } from 'zod';
import {
  AUTOMATION_RUN_STATES,
  AUTOMATION_STATES,
  AUTOMATION_STEP_STATES,
  environmentNameSchema,
  TOOL_RISKS,
  timestampSchema,
  TOOL_EFFECTS,
  toolNameSchema,
  uuidSchema,
} from '#lib/formats';
import { appliedAloneShape } from './change-request.js';
import { actorSchema, pageOf, pageQuerySchema } from './shared-schemas.js';

const reasonSchema = z.object({ code: z.string(), message: z.string() });

export const safeToolsQuerySchema = z.strictObject({
  environment: environmentNameSchema.meta({ description: 'The environment that the calls are aimed at.' }),
});
export type SafeToolsQuery = z.infer<typeof safeToolsQuerySchema>;

const tieredToolSchema = z
  .object({
    tool: toolNameSchema,
    version: z.int().min(1),
    tier: z.enum(TOOL_EFFECTS).meta({ description: 'Its effect: read, modify or destructive.' }),
    risk: z.enum(TOOL_RISKS),
    safe: z.boolean().meta({ description: 'Whether an automation may call it there now.' }),
    reasons: z.array(reasonSchema).meta({ description: 'The reasons why it is blocked; empty if it is safe.' }),
  })
  .meta({ id: 'TieredTool' });

export const safeToolsSchema = z
  .object({ environment: z.string(), items: z.array(tieredToolSchema) })
  .meta({ id: 'SafeTools' });
export type SafeToolsView = z.infer<typeof safeToolsSchema>;

export const safeListEntrySchema = z
  .object({
    id: uuidSchema,
    tool: toolNameSchema,
    version: z.int().min(1),
    digest: z.string(),
    effect: z.enum(TOOL_EFFECTS),
    risk: z.enum(TOOL_RISKS),
    counts: z.boolean().meta({ description: 'False if the tool has another version since, or was removed.' }),
    added_by: uuidSchema,
    added_at: timestampSchema,
    ...appliedAloneShape,
  })
  .meta({ id: 'SafeListEntry' });
export type SafeListEntryView = z.infer<typeof safeListEntrySchema>;

export const safeListSchema = z.object({ items: z.array(safeListEntrySchema) }).meta({ id: 'SafeList' });

export const acceptToolSchema = z
  .strictObject({ version: z.int().min(1).meta({ description: 'The version that you looked at.' }) })
  .meta({ id: 'AcceptTool' });
export type AcceptToolBody = z.infer<typeof acceptToolSchema>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

const automationSourceSchema = z
  .string()
  .min(1)
  .max(65_536)
  .meta({ description: 'The YAML of the automation, as the schema `automation` has it.' });

export const proposeAutomationSchema = z
  .strictObject({ source: automationSourceSchema })
  .meta({ id: 'ProposeAutomation' });
export type ProposeAutomationBody = z.infer<typeof proposeAutomationSchema>;

const seenSource = {
  source_sha256: sha256Schema.meta({ description: 'Of the source that you saw: another one is refused.' }),
};

export const enableAutomationSchema = z.strictObject(seenSource).meta({ id: 'EnableAutomation' });
export type EnableAutomationBody = z.infer<typeof enableAutomationSchema>;

export const changeAutomationSchema = z
  .strictObject({ source: automationSourceSchema, ...seenSource })
  .meta({ id: 'ChangeAutomation' });
export type ChangeAutomationBody = z.infer<typeof changeAutomationSchema>;

const blockedStepSchema = z.object({ step: z.string(), tool: z.string(), code: z.string(), message: z.string() });

export const blockedStepsSchema = z
  .object({ blocked: z.array(blockedStepSchema).meta({ description: 'The steps that would be blocked now.' }) })
  .meta({ id: 'BlockedSteps' });
export type BlockedStepsView = z.infer<typeof blockedStepsSchema>;

export const automationSchema = z
  .object({
    id: uuidSchema,
    name: z.string(),
    environment: z.object({ id: uuidSchema, name: z.string() }),
    state: z.enum(AUTOMATION_STATES),
    revision: z.int().min(1),
    source: z.string(),
    source_sha256: z.string(),
    author: actorSchema.meta({ description: 'The author of this revision.' }),
    owner_id: uuidSchema.nullable().meta({ description: 'The person accountable for it; null before it was enabled.' }),
    agent_id: uuidSchema.nullable().meta({ description: 'The agent that it acts as.' }),
    failures: z.int().min(0).meta({ description: 'Failed runs in a row.' }),
    next_at: timestampSchema.nullable().meta({ description: 'The next time of its schedules; null unless enabled.' }),
    proposed_at: timestampSchema,
  })
  .meta({ id: 'Automation' });
export type AutomationView = z.infer<typeof automationSchema>;

/** Kinds of triggers and steps that come later are members of these records, too. */
const memberSchema = z.record(z.string(), z.json());

const automationReadingSchema = z
  .object({
    description: z.string().nullable(),
    overlap: z.string(),
    on_blocked: z.string(),
    pause_after: z.int(),
    most_per_hour: z.int(),
    inputs: z.record(z.string(), memberSchema).meta({ description: 'Each with its `type` and bounds.' }),
    triggers: z.array(memberSchema).meta({ description: 'Each with its `type`.' }),
    steps: z.array(memberSchema).meta({ description: 'Each with its `id` and `type`.' }),
  })
  .meta({ id: 'AutomationReading', description: 'The source as Countersign reads it, with defaults.' });

export const readAutomationSchema = automationSchema
  .extend({
    reading: automationReadingSchema.nullable().meta({ description: 'Null if this version cannot read the source.' }),
  })
  .meta({ id: 'ReadAutomation' });
export type ReadAutomationView = z.infer<typeof readAutomationSchema>;

export const judgedAutomationSchema = automationSchema
  .extend(blockedStepsSchema.shape)
  .meta({ id: 'JudgedAutomation' });
export type JudgedAutomationView = z.infer<typeof judgedAutomationSchema>;

const inputsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

export const triggerAutomationSchema = z
  .strictObject({
    inputs: inputsSchema.default({}).meta({ description: 'The values of declared inputs; no others are taken.' }),
  })
  .meta({ id: 'TriggerAutomation' });
export type TriggerAutomationBody = z.infer<typeof triggerAutomationSchema>;

export const previewAutomationSchema = z
  .strictObject({
    source: automationSourceSchema,
    automation_id: uuidSchema
      .optional()
      .meta({ description: 'The automation that it belongs to: its own events start nothing.' }),
  })
  .meta({ id: 'PreviewAutomation' });
export type PreviewAutomationBody = z.infer<typeof previewAutomationSchema>;

export const previewQuerySchema = z.strictObject({ cursor: pageQuerySchema.shape.cursor });
export type PreviewQuery = z.infer<typeof previewQuerySchema>;

export const automationPreviewSchema = z
  .object({
    items: z.array(
      z.object({
        trigger: z.enum(['cron', 'event']),
        at: timestampSchema,
        event: z.string().nullable().meta({ description: 'Null for a time of a schedule.' }),
        audit_entry_id: uuidSchema.nullable(),
        inputs: inputsSchema.nullable().meta({ description: 'Null if the values of the event do not fit.' }),
        errors: z.array(z.object({ input: z.string(), message: z.string() })),
        blocked: z.array(blockedStepSchema).nullable().meta({
          description:
            'The steps that policies would block now. Null if the values do not fit, or if this page judged enough.',
        }),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({
    id: 'AutomationPreview',
    description: 'What would have started runs in the last thirty days, newest first.',
  });
export type AutomationPreviewView = z.infer<typeof automationPreviewSchema>;

/** A signed message, byte for byte. */
export const automationMessageSchema = z.string().min(1).max(65_536);

export const automationMessageAnswerSchema = z
  .object({
    run_id: uuidSchema.nullable().meta({ description: 'Null if no trigger matches, or if the message came before.' }),
    state: z.enum(AUTOMATION_RUN_STATES).nullable(),
  })
  .meta({ id: 'AutomationMessageAnswer' });
export type AutomationMessageAnswer = z.infer<typeof automationMessageAnswerSchema>;

export const renewAutomationSecretSchema = z
  .strictObject({
    revoke_earlier: z.boolean().default(false).meta({
      description: 'Whether earlier secrets are refused at once. Otherwise they are good for another day.',
    }),
  })
  .meta({ id: 'RenewAutomationSecret' });
export type RenewAutomationSecretBody = z.infer<typeof renewAutomationSecretSchema>;

export const automationSecretSchema = z
  .object({
    secret: z.string().meta({ description: 'In the form of Standard Webhooks: whsec_ and base64.' }),
    earlier_until: timestampSchema.meta({ description: 'Until when earlier secrets are good.' }),
  })
  .meta({ id: 'AutomationSecret' });
export type AutomationSecretView = z.infer<typeof automationSecretSchema>;

const faultSchema = reasonSchema.nullable();

export const automationRunSchema = z
  .object({
    id: uuidSchema,
    revision: z.int().min(1),
    occurrence: z.string().meta({ description: 'The trigger, and its time or its id: cron:…, event:…, endpoint:….' }),
    inputs: inputsSchema.meta({ description: 'The values that fill arguments of its steps.' }),
    due_at: timestampSchema,
    state: z.enum(AUTOMATION_RUN_STATES),
    error: faultSchema.meta({ description: 'The reason why it failed or was left out.' }),
    created_at: timestampSchema,
    finished_at: timestampSchema.nullable(),
  })
  .meta({ id: 'AutomationRun' });
export type AutomationRunView = z.infer<typeof automationRunSchema>;

const listedAutomationSchema = automationSchema
  .extend({ last_run: automationRunSchema.nullable().meta({ description: 'Null before its first run.' }) })
  .meta({ id: 'ListedAutomation' });
export type ListedAutomationView = z.infer<typeof listedAutomationSchema>;

export const automationListSchema = pageOf(listedAutomationSchema).meta({ id: 'AutomationList' });

export const automationRunListSchema = pageOf(automationRunSchema).meta({ id: 'AutomationRunList' });

const automationStepRunSchema = z.object({
  step: z.string(),
  type: z.enum(['tool_action', 'condition', 'notify']),
  state: z.enum(AUTOMATION_STEP_STATES),
  blocked: z.boolean().meta({ description: 'Whether policies blocked it.' }),
  error: faultSchema,
  tool_call_id: uuidSchema.nullable(),
  started_at: timestampSchema,
  finished_at: timestampSchema.nullable(),
});

export const seenAutomationRunSchema = automationRunSchema
  .extend({ steps: z.array(automationStepRunSchema) })
  .meta({ id: 'SeenAutomationRun' });
export type SeenAutomationRunView = z.infer<typeof seenAutomationRunSchema>;
