import { ownMember, type Json } from '#lib/canonical';
import { lineSchema, type AutomationDocument, type AutomationInputDeclaration } from '#lib/formats';
import { err, ok, type Result } from '#lib/kernel';

/** The values that a run's steps get, by the name of the input. */
export type InputValues = Readonly<Record<string, string | number | boolean>>;

/** A value that an automation does not take. It names the input, never the value: that may be anything. */
export interface WrongInput {
  readonly input: string;
  readonly message: string;
}

type Declared = AutomationDocument['inputs'];

/**
 * The values of all inputs: the given ones, and defaults for the others. Nothing but declared inputs is taken, each of its own
 * type and within its bounds.
 */
export function fillInputs(
  declared: Declared,
  given: Readonly<Record<string, Json | undefined>>,
): Result<InputValues, readonly WrongInput[]> {
  const values: Record<string, string | number | boolean> = {};
  const wrong: WrongInput[] = Object.keys(given)
    .filter((input) => !Object.hasOwn(declared, input))
    .map((input) => ({ input, message: 'The automation declares no such input' }));
  for (const [input, declaration] of Object.entries(declared)) {
    const value = ownMember(given, input) ?? declaration.default;
    const problem = value === undefined ? 'It is missing, and has no default' : problemOfValue(declaration, value);
    if (problem !== null) wrong.push({ input, message: problem });
    // `problemOfValue` found nothing wrong with its type.
    else values[input] = value as string | number | boolean;
  }
  return wrong.length === 0 ? ok(values) : err(wrong);
}

/** The values of a run that a schedule starts. A document whose inputs lack defaults has no schedule. */
export const defaultInputs = (declared: Declared): InputValues =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([input, { default: value }]) => (value === undefined ? [] : [[input, value]])),
  );

/** Values to check steps with, while there is no trigger: defaults, examples, and the first allowed value. */
export const sampleInputs = (declared: Declared): InputValues =>
  Object.fromEntries(
    Object.entries(declared).flatMap(([input, declaration]) => {
      const sample = sampleOf(declaration);
      return sample === undefined ? [] : [[input, sample]];
    }),
  );

/** Undefined for a string without a default and an example. */
export function sampleOf(declaration: AutomationInputDeclaration): string | number | boolean | undefined {
  if (declaration.default !== undefined) return declaration.default;
  if (declaration.type === 'string') return declaration.example;
  if (declaration.type === 'number') return declaration.minimum;
  return declaration.type === 'boolean' ? false : declaration.values[0];
}

/** Null for a value of the input's type and within its bounds. */
export function problemOfValue(declaration: AutomationInputDeclaration, value: Json): string | null {
  switch (declaration.type) {
    case 'string': {
      const { max_length: most } = declaration;
      // Trimmed text would be another value than the one that was sent.
      const line = lineSchema(most).safeParse(value);
      return line.success && line.data === value ? null : `It must be one line of at most ${String(most)} characters`;
    }
    case 'number': {
      const { minimum, maximum } = declaration;
      return typeof value === 'number' && value >= minimum && value <= maximum
        ? null
        : `It must be a number from ${String(minimum)} to ${String(maximum)}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? null : 'It must be true or false';
    case 'enum':
      return typeof value === 'string' && declaration.values.includes(value)
        ? null
        : `It must be one of ${declaration.values.join(', ')}`;
  }
}
