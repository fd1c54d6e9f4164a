import {
  environmentsDocumentSchema,
  executorsDocumentSchema,
  type EnvironmentsDocument,
  type ExecutorsDocument,
} from '#lib/contracts';
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

/** The JSON Pointer of a path (RFC 6901). */
export const pointerTo = (path: readonly string[]): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
