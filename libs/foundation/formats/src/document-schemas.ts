import { z } from 'zod';
import { automationDocumentSchema } from './automation-document.js';
import { autonomyDocumentSchema } from './autonomy-document.js';
import { environmentsDocumentSchema } from './environments-document.js';
import { executorsDocumentSchema } from './executor-document.js';
import { lifecycleHooksDocumentSchema } from './lifecycle-hook.js';
import { planDocumentSchema } from './plan-document.js';
import { taskSpecSchema } from './task-spec.js';
import { toolCatalogSchema } from './tool.js';

/** The documents that people and agents write. */
export const DOCUMENT_NAMES = [
  'task',
  'plan',
  'autonomy',
  'tool-catalog',
  'environments',
  'executors',
  'automation',
  'lifecycle-hooks',
] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

/** A JSON Schema, as it stands. */
export const jsonSchemaSchema = z.looseObject({ $schema: z.string() }).meta({ id: 'JsonSchema' });

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

const SCHEMAS: Readonly<Record<DocumentName, z.ZodType>> = {
  task: taskSpecSchema,
  plan: planDocumentSchema,
  autonomy: autonomyDocumentSchema,
  'tool-catalog': toolCatalogSchema,
  environments: environmentsDocumentSchema,
  executors: executorsDocumentSchema,
  automation: automationDocumentSchema,
  'lifecycle-hooks': lifecycleHooksDocumentSchema,
};

/**
 * A document's schema as JSON Schema 2020-12, for editors that complete and check. The server alone checks rules that
 * need more than the document itself, such as the tenant's tools and approvers.
 */
export function documentJsonSchema(name: DocumentName): z.infer<typeof jsonSchemaSchema> {
  const { id: _id, ...schema } = z.toJSONSchema(SCHEMAS[name], { target: 'draft-2020-12', io: 'input' });
  return { ...schema, $schema: DIALECT, title: `Countersign ${name.replace('-', ' ')}` };
}
