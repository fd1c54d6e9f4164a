import { canonicalJson, type Json } from '#lib/canonical';
import type { ToolDocument } from '#lib/formats';
import { digestText, newId, type ToolVersionId } from '#lib/kernel';
import type { SampleEnvironment } from '../../../../foundation/kernel/src/fake-tenant.js';
import { completeDefinition } from '../domain/complete-definition.js';
import { executorDigest } from '../domain/executor-document.js';
import type { ExecutorId } from '../domain/ids.js';
import type { ExecutorRecord, ToolVersion } from '../domain/tool-version.js';

const TARGETS = {
  type: 'object',
  required: ['targets'],
  additionalProperties: false,
  properties: { targets: { type: 'array', items: { type: 'string' } }, image: { type: 'string' } },
};

/** A version of a tool as the registry would complete it: one that reads, unless its document says more. */
export function sampleTool(name: string, document: Partial<ToolDocument> = {}, version = 1): ToolVersion {
  const completed = completeDefinition(
    name,
    {
      description: `Does ${name}.`,
      risk: 'read_only',
      idempotent: true,
      scope: 'asset',
      executor: 'fleet',
      parameters: TARGETS,
      ...document,
    },
    '',
  );
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  return {
    id: newId<ToolVersionId>(),
    name,
    version,
    digest: digestText('tool', definitionText(completed.value)),
    definition: completed.value,
  };
}

/** The definition as it is stored and digested. */
export const definitionText = (definition: ToolVersion['definition']): string => canonicalJson(definition as Json);

/** A tool that changes servers in production, with a canary; `look` predicts it. */
export const sampleRollout = (version = 1): ToolVersion =>
  sampleTool(
    'rollout',
    {
      risk: 'state_change_prod',
      effect: 'modify',
      idempotent: false,
      canary: true,
      simulated_by: 'look',
      identity_fields: ['/targets'],
    },
    version,
  );

/** The executor `fleet` of an environment, at a tool server. */
export function sampleExecutor(
  environment: SampleEnvironment,
  members: Partial<Omit<ExecutorRecord, 'digest'>> = {},
): ExecutorRecord {
  const record = {
    id: newId<ExecutorId>(),
    name: 'fleet',
    kind: 'http',
    url: 'https://tools.example.com/fleet',
    audience: `fleet.${environment.name}`,
    sharedAudience: false,
    secret: null,
    settings: {},
    version: 1,
    ...members,
  };
  return { ...record, digest: executorDigest(environment.id, record.name, record) };
}
