import type { z } from 'zod';
import { explainIssue, parseYaml, positionOf, type ParsedYaml, type Position } from '#lib/autonomy';
import type { Json } from '#lib/canonical';
import { err, ok, type Failure, type FieldError, type Result } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';

/** A document as it was sent, and where in its text each part stands. */
export interface DocumentBody<T> {
  readonly document: T;
  /** Adds line and column to errors and warnings if the document was sent as YAML. */
  readonly locate: (errors: readonly FieldError[]) => FieldError[];
}

/** How the refusals of a document are named. */
export interface DocumentKind<T> {
  readonly schema: z.ZodType<T>;
  /** The codes of its errors begin with this. */
  readonly area: string;
  /** `The catalog`. */
  readonly noun: string;
  readonly unreadable: string;
  readonly invalid: string;
}

/** A thousand tools with their schemas. */
const MAX_TOKENS = 200_000;
const MAX_ERRORS = 50;

/** Reads a document that came as YAML text or as JSON. */
export function readDocumentBody<T>(body: unknown, kind: DocumentKind<T>): Result<DocumentBody<T>> {
  const parsed = typeof body === 'string' ? parseYaml(body, MAX_TOKENS) : null;
  if (parsed?.ok === false) return err(refused('invalid', kind.noun, kind.unreadable, parsed.error));
  const locate = (errors: readonly FieldError[]): FieldError[] =>
    errors.map((error) => (parsed === null ? error : { ...error, ...keyOrValue(error.pointer, parsed.value) }));
  // The parsers of bodies give JSON.
  const value = parsed === null ? (body as Json) : parsed.value.value;
  const checked = kind.schema.safeParse(value, { error: wordsOfIssue });
  if (checked.success) return ok({ document: checked.data, locate });
  const document = { area: kind.area, schema: kind.schema, value, yaml: parsed === null ? null : parsed.value };
  const errors = checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => explainIssue(issue, document));
  return err(refused('unprocessable', kind.noun, kind.invalid, errors.slice(0, MAX_ERRORS)));
}

/** A block stands at its key: its value begins a line below. */
function keyOrValue(pointer: string, yaml: ParsedYaml): Partial<Position> {
  const [key, value] = [yaml.keys.get(pointer), positionOf(pointer, yaml)];
  return key !== undefined && key.line < value.line ? key : value;
}

const refused = (kind: Failure['kind'], noun: string, code: string, errors: readonly FieldError[]): Failure => ({
  kind,
  code,
  message: `${noun} cannot be read as it stands.`,
  action: 'Correct the listed errors, and try again.',
  errors,
});
