import { z } from 'zod';
import type { PlanState } from '#lib/formats';
import { entity, integer, json, moment, nullable, smallint, text, uuid } from '#lib/database';
import type { DecisionId, Digest, FieldError, PlanId, TaskId, ToolVersionId } from '#lib/kernel';
import { SUBMITTER } from '#lib/task';

const fieldErrors: z.ZodType<readonly FieldError[]> = z.array(
  z.looseObject({ pointer: z.string(), code: z.string(), message: z.string() }),
);

export const planEntity = entity(
  'plan',
  { id: uuid<PlanId>() },
  {
    taskId: uuid<TaskId>(),
    revision: integer(),
    state: text<PlanState>(),
    document: text(),
    expanded: nullable(text()),
    digest: nullable(text<Digest>()),
    errors: json(fieldErrors),
    decisionId: nullable(uuid<DecisionId>()),
    ...SUBMITTER,
    createdAt: moment(),
    updatedAt: moment(),
    headline: nullable(text()),
    risk: nullable(smallint()),
  },
);

/** The versions of tools that a revision is bound to. */
export const planToolEntity = entity(
  'plan_tool',
  { planId: uuid<PlanId>(), toolVersionId: uuid<ToolVersionId>() },
  { toolName: text() },
);
