import { toolCatalogSchema, type ToolDocument } from '#lib/formats';
import { ok, type FieldError, type Result } from '#lib/kernel';
import { readDocumentBody } from '../http/index.js';

/** A catalog as it was sent, and where in its text each part stands. */
export interface CatalogBody {
  readonly tools: ReadonlyMap<string, ToolDocument>;
  /** Adds line and column to errors and warnings if the catalog was sent as YAML. */
  readonly locate: (errors: readonly FieldError[]) => FieldError[];
}

const CATALOG = {
  schema: toolCatalogSchema,
  area: 'tool',
  noun: 'The catalog',
  unreadable: 'tool.unreadable_catalog',
  invalid: 'tool.invalid_definition',
} as const;

/** Reads a catalog that came as YAML text or as JSON. */
export function readCatalog(body: unknown): Result<CatalogBody> {
  const read = readDocumentBody(body, CATALOG);
  if (!read.ok) return read;
  const { document, locate } = read.value;
  return ok({ tools: new Map(Object.entries(document.tools)), locate });
}
