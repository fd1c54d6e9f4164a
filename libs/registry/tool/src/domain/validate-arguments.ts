import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { canonicalJson, CanonicalJsonError, isJsonObject, ownMember, type Json, type JsonObject } from '#lib/canonical';
import { WORKSPACE_PATH_FORMATS } from '#lib/formats';
import { err, ok, type Digest, type FieldError, type Result } from '#lib/kernel';
import { closest, visibleText } from '#lib/words';
import type { ToolVersion } from './tool-version.js';
import { secretPointers } from './check-parameter-schema.js';
import { escapePointer, member, valueAt } from './json-pointer.js';
import { compileLinearPattern } from './linear-pattern.js';
import { SUPPORTED_FORMATS } from './schema-keywords.js';

/** The longest arguments of one call, as canonical JSON. */
const MAX_ARGUMENTS_CHARACTERS = 65_536;
/** Longer strings than this match no format: checking them would cost more than they are worth. */
const MAX_FORMATTED_CHARACTERS = 2_048;
const MAX_ERRORS = 20;
const MAX_COMPILED = 500;

const secretReference = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}@[1-9][0-9]{0,8}$/;

interface CompiledSchema {
  readonly validate: ValidateFunction;
  readonly secrets: readonly string[];
}

/** Compiled validators by the tool version's digest, least recently used first. */
const compiled = new Map<Digest, CompiledSchema>();
/** The same by the text of the schema. Tools and their versions share schemas, and a catalog is compiled as it is checked. */
const compiledTexts = new Map<string, CompiledSchema>();

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
    ownProperties: true,
    validateFormats: true,
    messages: true,
    logger: false,
    code: {
      regExp: Object.assign((pattern: string) => compileLinearPattern(pattern), { code: 'compileLinearPattern' }),
    },
  });
  const withFormats = addFormats.default;
  for (const name of SUPPORTED_FORMATS) {
    const format = withFormats.get(name);
    const matches =
      format instanceof RegExp
        ? (text: string) => format.test(text)
        : typeof format === 'function'
          ? format
          : typeof format === 'object' && typeof format.validate === 'function'
            ? // ajv-formats checks text alone with a function of one parameter.
              (format.validate as (text: string) => boolean)
            : null;
    if (matches !== null)
      ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED_CHARACTERS && matches(text));
  }
  for (const name of Object.values(WORKSPACE_PATH_FORMATS)) ajv.addFormat(name, true);
  // The dialect's own schema names these; checkParameterSchema has checked their values.
  for (const name of ['regex', 'uri-reference']) ajv.addFormat(name, true);
  ajv.addKeyword({
    keyword: 'countersignSecret',
    // Arguments are JSON.
    validate: (_: unknown, value: unknown) => isSecretReference(value as Json),
  });
  return ajv;
}

/** An instance holds on to all it ever compiled, and takes long to make: each serves so many schemas. */
const SCHEMAS_AN_INSTANCE = 200;
let shared: { readonly ajv: Ajv2020; used: number } | undefined;

function compiler(): Ajv2020 {
  if (shared === undefined || shared.used >= SCHEMAS_AN_INSTANCE) shared = { ajv: newAjv(), used: 0 };
  shared.used += 1;
  return shared.ajv;
}

/** True for `{"$secret": "name@version"}` and nothing else. */
function isSecretReference(value: Json): value is { readonly $secret: string } {
  const reference = member(value, '$secret');
  return (
    isJsonObject(value) &&
    Object.keys(value).length === 1 &&
    typeof reference === 'string' &&
    secretReference.test(reference)
  );
}

/** The schema with every `writeOnly` place replaced by "a reference to a secret", without its own rules. */
function withSecrets(node: Json): Json {
  if (Array.isArray(node)) {
    const items: readonly Json[] = node;
    return items.map(withSecrets);
  }
  if (!isJsonObject(node)) return node;
  if (member(node, 'writeOnly') === true) return { countersignSecret: true };
  const rewrite = (key: string, value: Json): Json => {
    if (key === 'items') return withSecrets(value);
    if (key === 'properties' && isJsonObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withSecrets(child)]));
    }
    return value;
  };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewrite(key, value)]));
}

/**
 * Compiles a schema that {@link checkParameterSchema} has let through.
 *
 * @throws {Error} if it is not valid JSON Schema 2020-12 in strict mode.
 */
export function compileParameters(schema: JsonObject): CompiledSchema {
  return recalled(compiledTexts, JSON.stringify(schema), () => ({
    // An object stays an object.
    validate: compiler().compile(withSecrets(schema) as JsonObject),
    secrets: secretPointers(schema),
  }));
}

const compiledFor = (tool: ToolVersion): CompiledSchema =>
  recalled(compiled, tool.digest, () => compileParameters(tool.definition.parameters));

function recalled<K>(kept: Map<K, CompiledSchema>, key: K, compile: () => CompiledSchema): CompiledSchema {
  const schema = kept.get(key) ?? compile();
  kept.delete(key);
  kept.set(key, schema);
  const oldest = kept.size > MAX_COMPILED ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  return schema;
}

/**
 * Checks the arguments of one call against the tool's schema. `errors[].pointer` is relative to the arguments. Never
 * changes them: the arguments are digested and executed as checked.
 *
 * Codes of the failure: `tool.invalid_arguments`; of its errors: `tool.argument_<keyword>`, `tool.literal_secret` (a
 * value in place of a reference), `tool.misplaced_secret` (a reference at a place that resolves none).
 */
export function validateArguments(tool: ToolVersion, args: Json): Result<JsonObject> {
  const errors = argumentErrors(tool, args);
  if (errors.length === 0 && isJsonObject(args)) return ok(args);
  return err({
    kind: 'unprocessable',
    code: 'tool.invalid_arguments',
    message: `The arguments of ${tool.name} (version ${String(tool.version)}) do not fit its parameters.`,
    action: `Read the parameters of ${tool.name}, and correct the listed errors.`,
    errors,
    details: { route: `GET /v1/tools/${tool.name}` },
  });
}

function argumentErrors(tool: ToolVersion, args: Json): FieldError[] {
  try {
    if (canonicalJson(args).length > MAX_ARGUMENTS_CHARACTERS) {
      return [
        {
          pointer: '',
          code: 'tool.argument_size',
          message: `Arguments have at most ${String(MAX_ARGUMENTS_CHARACTERS)} characters.`,
        },
      ];
    }
    const { validate, secrets } = compiledFor(tool);
    if (validate(args)) return misplacedSecrets(args, secrets).slice(0, MAX_ERRORS);
    const { parameters } = tool.definition;
    return (validate.errors ?? []).slice(0, MAX_ERRORS).map((error) => fieldErrorOf(error, args, parameters));
  } catch (problem) {
    if (problem instanceof CanonicalJsonError) {
      return [
        {
          pointer: problem.pointer,
          code: 'tool.argument_not_canonical',
          message: `This has no exact form: ${problem.problem}.`,
        },
      ];
    }
    // A schema that cannot be compiled or run allows nothing.
    const reason = problem instanceof Error ? problem.message : 'unknown';
    return [{ pointer: '', code: 'tool.schema_unusable', message: `The tool's schema cannot be used: ${reason}.` }];
  }
}

function fieldErrorOf(error: ErrorObject, args: Json, parameters: JsonObject): FieldError {
  const params: Record<string, unknown> = error.params;
  const here = error.instancePath;
  if (error.keyword === 'countersignSecret') {
    return {
      pointer: here,
      code: 'tool.literal_secret',
      message: 'A secret never stands in arguments: refer to one that is stored.',
      suggestion: '{"$secret":"name@version"}',
    };
  }
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra === 'string') {
    const properties = member(parameters, 'properties');
    const known = here === '' && isJsonObject(properties) ? Object.keys(properties) : [];
    const meant = closest(extra, known);
    return {
      pointer: `${here}/${escapePointer(extra)}`,
      code: 'tool.argument_unknown',
      message: `There is no parameter "${visibleText(extra.slice(0, 100))}".`,
      ...(meant === undefined ? {} : { suggestion: meant }),
    };
  }
  const allowed = params.allowedValues;
  const value = valueAt(args, here);
  const meant =
    error.keyword === 'enum' && Array.isArray(allowed) && typeof value === 'string'
      ? closest(
          value,
          allowed.filter((item): item is string => typeof item === 'string'),
        )
      : undefined;
  return {
    pointer: here,
    code: `tool.argument_${error.keyword.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    message: `${here === '' ? 'The arguments' : here} ${wordsOf(error)}${
      Array.isArray(allowed) ? `: ${allowed.map(String).join(', ').slice(0, 500)}` : ''
    }.`,
    ...(meant === undefined ? {} : { suggestion: meant }),
  };
}

/** The keywords that bound a size, and its unit. */
const SIZES: Readonly<Record<string, readonly [bound: string, unit: string]>> = {
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
  minProperties: ['at least', 'member'],
  maxProperties: ['at most', 'member'],
};

/** The validator's own words, if they say what is right. */
function wordsOf({ keyword, message = 'do not fit', params }: ErrorObject): string {
  const size = ownMember(SIZES, keyword);
  if (size !== undefined) {
    const limit = Number(params.limit);
    return `must have ${size[0]} ${String(limit)} ${size[1]}${limit === 1 ? '' : 's'}`;
  }
  return keyword === 'uniqueItems' ? 'must not have the same item twice' : message;
}

/** Every object that looks like a reference to a secret, with its pointer. */
function secretLikes(value: Json, pointer: string, found: { pointer: string; value: JsonObject }[]): void {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    items.forEach((item, index) => {
      secretLikes(item, `${pointer}/${String(index)}`, found);
    });
  } else if (isJsonObject(value)) {
    if (Object.hasOwn(value, '$secret')) found.push({ pointer, value });
    for (const [key, item] of Object.entries(value)) secretLikes(item, `${pointer}/${escapePointer(key)}`, found);
  }
}

function fits(pointer: string, pattern: string): boolean {
  const tokens = pointer.split('/');
  const wanted = pattern.split('/');
  return (
    tokens.length === wanted.length &&
    wanted.every((token, index) => (token === '*' ? /^\d+$/.test(tokens[index] ?? '') : token === tokens[index]))
  );
}

function misplacedSecrets(args: Json, allowed: readonly string[]): FieldError[] {
  const found: { pointer: string; value: JsonObject }[] = [];
  secretLikes(args, '', found);
  return found
    .filter(({ pointer }) => !allowed.some((pattern) => fits(pointer, pattern)))
    .map(({ pointer }) => ({
      pointer,
      code: 'tool.misplaced_secret',
      message: 'The tool takes no secret here, so none would be put in.',
    }));
}

/** One secret that a call needs, and the place of its value in the arguments. */
export interface SecretUse {
  readonly pointer: string;
  /** `name@version`. */
  readonly reference: string;
}

/** The secrets that arguments refer to, once {@link validateArguments} has accepted them. */
export function secretsOf(args: JsonObject): SecretUse[] {
  const found: { pointer: string; value: JsonObject }[] = [];
  secretLikes(args, '', found);
  return found.flatMap(({ pointer, value }) =>
    isSecretReference(value) ? [{ pointer, reference: value.$secret }] : [],
  );
}
