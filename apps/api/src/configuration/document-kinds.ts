import {
  environmentsDocumentSchema,
  executorsDocumentSchema,
  type EnvironmentsDocument,
  type ExecutorsDocument,
} from '#lib/formats';
import type { DocumentKind } from '../http/index.js';

export const ENVIRONMENTS: DocumentKind<EnvironmentsDocument> = {
  schema: environmentsDocumentSchema,
  area: 'environment',
  noun: 'The document',
  unreadable: 'environment.unreadable',
  invalid: 'environment.invalid',
};

export const EXECUTORS: DocumentKind<ExecutorsDocument> = {
  schema: executorsDocumentSchema,
  area: 'executor',
  noun: 'The document',
  unreadable: 'executor.unreadable',
  invalid: 'executor.invalid',
};

/** More environments than a tenant has. */
export const ALL_ENVIRONMENTS = { limit: 10_000, afterName: null };
