import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, type Json } from '#lib/canonical';
import { digestOf, type DigestKind } from '#lib/kernel';
import {
  approvalBindingSchema,
  assertionDocumentSchema,
  attemptDocumentSchema,
  changeDocumentSchema,
  commentDocumentSchema,
  decisionDocumentSchema,
  incidentDocumentSchema,
  incidentEventDocumentSchema,
  passkeyDocumentSchema,
  provedOperationSchema,
  requestDocumentSchema,
  reviewDocumentSchema,
  runDocumentSchema,
  automationDocumentSchema,
  autonomyDocumentSchema,
  environmentsDocumentSchema,
  executorsDocumentSchema,
  expandedPlanSchema,
  grantClaimsSchema,
  planDocumentSchema,
  planSimulationResultSchema,
  secretBindingSchema,
  storedActorSchema,
  taskSpecSchema,
  toolCallRequestSchema,
  toolCallResponseSchema,
  toolCatalogSchema,
  toolDefinitionSchema,
  wantedSignInSettingsSchema,
} from './index.js';

interface Golden {
  readonly document: Json;
  readonly digest: string;
  /** Left out of further documents. */
  readonly schema?: unknown;
}

/**
 * Each format at its version: its schema, the kind of digest that covers its bytes, if one does, and its further documents:
 * `of-call` is the golden file `review-of-call.v1.json`.
 */
const FORMATS: Readonly<Record<string, readonly [z.ZodType, DigestKind | null, ...string[]]>> = {
  'approval-request.v1': [requestDocumentSchema, 'approval-request', 'of-call'],
  'attempt.v1': [attemptDocumentSchema, 'attempt'],
  'change-request.v1': [changeDocumentSchema, 'change-request'],
  'comment.v1': [commentDocumentSchema, 'comment'],
  'decision.v1': [decisionDocumentSchema, 'decision'],
  'incident.v1': [incidentDocumentSchema, 'incident'],
  'incident-event.v1': [incidentEventDocumentSchema, 'incident-event'],
  'passkey.v1': [passkeyDocumentSchema, 'passkey'],
  'passkey-assertion.v1': [assertionDocumentSchema, 'passkey-assertion'],
  'review.v1': [reviewDocumentSchema, 'review', 'of-call', 'with-word'],
  'run.v1': [runDocumentSchema, 'run'],
  'stepped-up-operation.v1': [provedOperationSchema, 'stepped-up-operation', 'of-call', 'with-word'],
  'approval-binding.v1': [approvalBindingSchema, 'binding', 'of-call'],
  'automation-document.v1': [automationDocumentSchema, null],
  'autonomy-document.v1': [autonomyDocumentSchema, 'autonomy'],
  'environments-document.v1': [environmentsDocumentSchema, null],
  'executors-document.v1': [executorsDocumentSchema, null],
  'expanded-plan.v1': [expandedPlanSchema, 'plan', 'of-line', 'of-paths'],
  'grant-claims.v1': [grantClaimsSchema, null, 'of-line', 'of-mcp'],
  'plan-document.v1': [planDocumentSchema, null],
  'secret-binding.v1': [secretBindingSchema, null],
  'sign-in-settings.v1': [wantedSignInSettingsSchema, null],
  'simulation-result.v1': [planSimulationResultSchema, 'simulation'],
  'stored-actor.v1': [storedActorSchema, null],
  'task-spec.v1': [taskSpecSchema, 'task'],
  'tool-call-request.v1': [toolCallRequestSchema, null],
  'tool-call-response.v1': [toolCallResponseSchema, null],
  'tool-catalog.v1': [toolCatalogSchema, null],
  'tool-definition.v1': [toolDefinitionSchema, 'tool', 'of-mcp', 'of-paths'],
};

const folder = join(__dirname, 'golden');
const golden = (name: string): Golden => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Golden;

const documentsOf = (name: string, further: readonly string[]): readonly string[] => [
  name,
  ...further.map((each) => name.replace('.v', `-${each}.v`)),
];

const digest = (kind: DigestKind | null, document: Json): string =>
  kind === null
    ? `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`
    : digestOf(kind, document);

/** A JSON Schema without its descriptions, which no reader of a document depends on. */
const withoutWords = (schema: unknown): unknown =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'description' && typeof value === 'string' ? undefined : value,
    ),
  );

describe.each(Object.entries(FORMATS))('the format %s', (name, [schema, kind, ...further]) => {
  describe.each(documentsOf(name, further))('in %s', (file) => {
    const { document, digest: recorded } = golden(file);

    it('reads its golden document and adds nothing to it', () => {
      expect(schema.parse(document)).toEqual(document);
    });

    it('digests its golden document to the recorded digest', () => {
      expect(digest(kind, schema.parse(document) as Json)).toBe(recorded);
    });
  });

  it('has the recorded JSON Schema', () => {
    expect(withoutWords(z.toJSONSchema(schema))).toEqual(golden(name).schema);
  });
});

it('each golden file belongs to a format', () => {
  expect(readdirSync(folder).sort()).toEqual(
    Object.entries(FORMATS)
      .flatMap(([name, [, , ...further]]) => documentsOf(name, further).map((file) => `${file}.json`))
      .sort(),
  );
});
