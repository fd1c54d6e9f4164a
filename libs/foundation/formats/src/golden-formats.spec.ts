import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { canonicalJson, type Json } from '#lib/canonical';
import { digestOf, type DigestKind } from '#lib/kernel';
import * as exported from './index.js';
import {
  advertisedMcpServersSchema,
  advertisedToolsSchema,
  approvalBindingSchema,
  approvedTermsSchema,
  assertionDocumentSchema,
  attemptDocumentSchema,
  changeDocumentSchema,
  commentDocumentSchema,
  decisionSchema,
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
  executorSettingsSchema,
  executorsDocumentSchema,
  expandedPlanSchema,
  grantClaimsSchema,
  hookCallSchema,
  lifecycleHooksDocumentSchema,
  planDocumentSchema,
  planSimulationResultSchema,
  runnerProofClaimsSchema,
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
 * Each format at its version: its schema, the kind of digest of its bytes, if any, and its further documents. `of-call`
 * is the golden file `review-of-call.v1.json`.
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
  'advertised-mcp-servers.v1': [advertisedMcpServersSchema, null],
  'advertised-tools.v1': [advertisedToolsSchema, null],
  'approved-terms.v1': [approvedTermsSchema, null],
  'approval-binding.v1': [approvalBindingSchema, 'binding', 'of-call'],
  'automation-document.v1': [automationDocumentSchema, null],
  'autonomy-document.v1': [autonomyDocumentSchema, 'autonomy'],
  'environments-document.v1': [environmentsDocumentSchema, null],
  'executor-settings.v1': [executorSettingsSchema, null],
  'executors-document.v1': [executorsDocumentSchema, null],
  'expanded-plan.v1': [expandedPlanSchema, 'plan', 'of-line', 'of-paths'],
  'grant-claims.v1': [grantClaimsSchema, null, 'of-line', 'of-mcp'],
  'hook-call.v1': [hookCallSchema, null],
  'lifecycle-hooks-document.v1': [lifecycleHooksDocumentSchema, null],
  'policy-decision.v1': [decisionSchema, null, 'of-freeze'],
  'plan-document.v1': [planDocumentSchema, null],
  'runner-proof-claims.v1': [runnerProofClaimsSchema, null],
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

/**
 * The exported schemas that are no format of their own. They are parts of the formats, and two that are never stored or
 * signed.
 */
const NO_FORMAT: readonly string[] = [
  'advertisedMcpServerSchema',
  'advertisedToolSchema',
  'approvalSlotSchema',
  'automationInputsSchema',
  'automationTriggerSchema',
  'conditionTextSchema',
  'digestSchema',
  'dnsLabelSchema',
  'effectiveSchema',
  'environmentChangeSchema',
  'environmentNameSchema',
  'executorDocumentSchema',
  'executorNameSchema',
  'expandedLineSchema',
  'hookProgramNameSchema',
  'issuerDescriptionSchema',
  'newEnvironmentNameSchema',
  'obligationsSchema',
  'outcomeSchema',
  'planPhaseSchema',
  'reasonSchema',
  'roleSchema',
  'scopeSchema',
  'secretReferenceSchema',
  'simulationResultSchema',
  'slugSchema',
  'steppedUpOperationSchema',
  'targetSchema',
  'timestampSchema',
  'toolDocumentSchema',
  'toolNameSchema',
  'uuidSchema',
  // An answer with a JSON Schema, and the refusal of a tool server.
  'jsonSchemaSchema',
  'toolCallRefusalSchema',
];

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

it('each exported schema is a format with a golden file, or is named as none', () => {
  const formats = new Set<unknown>(Object.values(FORMATS).map(([schema]) => schema));
  const others = Object.entries(exported).filter(([, value]) => value instanceof z.ZodType && !formats.has(value));
  expect(others.map(([name]) => name).toSorted()).toEqual(NO_FORMAT.toSorted());
});
