import { explainIssue, parseYaml, placeOf } from '#lib/autonomy';
import type { Json } from '#lib/canonical';
import { toolCatalogSchema, type ToolDocument } from '#lib/contracts';
import { err, ok, type Failure, type FieldError, type Result } from '#lib/kernel';

/** A catalog as it was sent, and where in its text each part stands. */
export interface CatalogBody {
  readonly tools: ReadonlyMap<string, ToolDocument>;
  /** Adds line and column to errors and warnings where the catalog was sent as YAML. */
  locate(errors: readonly FieldError[]): FieldError[];
}

/** A thousand tools with their schemas. */
const MAX_TOKENS = 200_000;
const MAX_ERRORS = 50;

/** Reads a catalog that came as YAML text or as JSON. */
export function readCatalog(body: unknown): Result<CatalogBody> {
  const parsed = typeof body === 'string' ? parseYaml(body, MAX_TOKENS) : null;
  if (parsed?.ok === false) return err(refused('invalid', 'tool.unreadable_catalog', parsed.error));
  const locate = (errors: readonly FieldError[]): FieldError[] =>
    errors.map((error) => (parsed === null ? error : { ...error, ...placeOf(error.pointer, parsed.value) }));
  const checked = toolCatalogSchema.safeParse(parsed === null ? body : parsed.value.value);
  if (checked.success) return ok({ tools: new Map(Object.entries(checked.data.tools)), locate });
  const document = {
    area: 'tool',
    schema: toolCatalogSchema,
    value: parsed === null ? (body as Json) : parsed.value.value,
    yaml: parsed === null ? null : parsed.value,
  };
  const errors = checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => explainIssue(issue, document));
  return err(refused('unprocessable', 'tool.invalid_definition', errors.slice(0, MAX_ERRORS)));
}

const refused = (kind: Failure['kind'], code: string, errors: readonly FieldError[]): Failure => ({
  kind,
  code,
  message: 'The catalog cannot be read as it stands.',
  action: 'Correct what is listed and put it again; ?dry_run=true checks without changing anything.',
  errors,
});
