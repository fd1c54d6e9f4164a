import { z } from 'zod';
import type { Json } from '#lib/canonical';
import { autonomyDocumentSchema, type AutonomyDocument } from '#lib/contracts';
import { closest, err, ok, type FieldError, type Result } from '#lib/kernel';
import { parseYaml, pointerToken, type ParsedYaml, type Position } from './parse-yaml.js';

/** A document that is well-formed, with where everything in it stands. */
export interface SourcedDocument {
  readonly document: AutonomyDocument;
  readonly yaml: ParsedYaml;
}

const MAX_ERRORS = 20;

/** Why a value that would open the gate is refused, by the key it stands under. */
const OPENS: Readonly<Record<string, string>> = {
  allowed_approvers: 'An empty list of approvers would leave nobody to ask.',
  allowed_roles: 'An empty list of roles: leave the key out, and nobody may invoke break-glass.',
  quorum: 'An empty quorum would ask for nobody.',
  roles: 'A slot without roles could be filled by nobody.',
  count: 'A count below one would ask for nobody.',
  requires_mfa: 'Break-glass always needs a second factor.',
  requires_justification: 'Break-glass always needs a justification.',
  auto_creates_incident: 'Break-glass always opens an incident.',
  audit_level: 'Break-glass is always audited as critical.',
};

/** Reads an autonomy document. Every error has line, column and, where something near was probably meant, a suggestion. */
export function readDocument(source: string): Result<SourcedDocument, readonly FieldError[]> {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const yaml = parsed.value;
  const checked = autonomyDocumentSchema.safeParse(yaml.value);
  if (checked.success) return ok({ document: checked.data, yaml });
  return err(
    inReadingOrder(checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => errorsOf(issue, yaml))).slice(
      0,
      MAX_ERRORS,
    ),
  );
}

/** As somebody who corrects the document from its top meets them. */
export const inReadingOrder = (errors: readonly FieldError[]): FieldError[] =>
  errors.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));

type Issue = z.core.$ZodIssue;

function errorsOf(issue: Issue, yaml: ParsedYaml): FieldError[] {
  const path = issue.path.map(String);
  const pointer = pointerOf(path);
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, yaml));
  const key = path.findLast((token) => !/^\d+$/.test(token)) ?? '';
  const value = valueAt(yaml.value, path);
  const position = value === undefined ? placeOf(pointerOf(path.slice(0, -1)), yaml) : placeOf(pointer, yaml);
  const error = (code: string, message: string, suggestion?: string): FieldError[] => [
    { pointer, code, message, ...position, ...(suggestion === undefined ? {} : { suggestion }) },
  ];
  if (value === undefined)
    return error(
      'autonomy.missing_key',
      `${path.at(-1) ?? 'The document'} is missing${path.length > 1 ? ` in ${path.slice(0, -1).join('.')}` : ''}.`,
    );
  const opens = OPENS[key];
  const dangerous =
    issue.code === 'too_small' || (issue.code === 'invalid_value' && (value === false || key === 'audit_level'));
  if (opens !== undefined && dangerous) {
    return error(
      'autonomy.opens_the_gate',
      opens,
      issue.code === 'invalid_value' ? String(issue.values[0]) : undefined,
    );
  }
  switch (issue.code) {
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      return error(
        'autonomy.wrong_value',
        `${key} is one of ${allowed.join(', ')}.`,
        typeof value === 'string' ? (closest(value, allowed) ?? spoken(value, allowed)) : undefined,
      );
    }
    case 'invalid_type':
      return error(
        'autonomy.wrong_type',
        `${key === '' ? 'The document' : key} is ${A_KIND[issue.expected] ?? issue.expected}, and this is ${kindOf(value)}.`,
        meant(value, issue.expected),
      );
    case 'too_small':
    case 'too_big':
      return error('autonomy.out_of_range', `${key}: ${issue.message}.`);
    case 'invalid_key':
      return [
        {
          pointer,
          code: 'autonomy.wrong_name',
          message: issue.issues[0]?.message ?? 'This name is not possible.',
          ...(yaml.keys.get(pointer) ?? position),
        },
      ];
    default:
      return error('autonomy.wrong_value', `${key}: ${issue.message}.`);
  }
}

const A_KIND: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  array: 'a list',
  object: 'a block of keys',
  record: 'a block of keys',
  int: 'a whole number',
  number: 'a number',
  string: 'a word',
};

function kindOf(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? 'a block of keys'
    : `${typeof value === 'string' ? 'the word' : 'the value'} ${JSON.stringify(value).slice(0, 60)}`;
}

/** YAML 1.1 had these for booleans, and a single approver is easily written without its brackets. */
function meant(value: Json, expected: string): string | undefined {
  if (expected === 'boolean' && typeof value === 'string') {
    if (/^(yes|on|y)$/i.test(value)) return 'true';
    if (/^(no|off|n)$/i.test(value)) return 'false';
  }
  if (expected === 'array' && typeof value === 'string') return `[${value.slice(0, 60)}]`;
  if ((expected === 'number' || expected === 'int') && typeof value === 'string' && /^\d{1,6}$/.test(value))
    return value;
  return undefined;
}

const spoken = (value: string, allowed: readonly string[]): string | undefined =>
  allowed.find((candidate) => candidate === value.toLowerCase().replaceAll(/[\s-]+/g, '_'));

function unknownKey(path: readonly string[], key: string, yaml: ParsedYaml): FieldError {
  const pointer = pointerOf([...path, key]);
  const known = keysAt(autonomyDocumentSchema, path);
  const near = closest(key, known);
  const elsewhere = near === undefined ? homeOf(key, path) : undefined;
  const suggestion = near ?? elsewhere;
  return {
    pointer,
    code: 'autonomy.unknown_key',
    message:
      elsewhere === undefined
        ? `There is no key ${JSON.stringify(key.slice(0, 100))} here; there are ${known.join(', ')}.`
        : `${key} does not stand here.`,
    ...(yaml.keys.get(pointer) ?? placeOf(pointerOf(path), yaml)),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** Where a key that is known elsewhere in the document belongs. */
function homeOf(key: string, path: readonly string[]): string | undefined {
  const places: readonly (readonly string[])[] = [
    [],
    ['autonomy'],
    ['autonomy', 'environments', '<environment>'],
    ['autonomy', 'tool_overrides', '<tool>'],
    ['emergency_override'],
    ['freezes', '<freeze>'],
  ];
  const home = places.find(
    (place) => place.join('.') !== path.join('.') && keysAt(autonomyDocumentSchema, place).includes(key),
  );
  return home === undefined ? undefined : [...home, key].join('.');
}

/** The keys that the schema knows at a path; a record takes any name. */
function keysAt(schema: z.core.$ZodType, path: readonly string[]): string[] {
  let node: z.core.$ZodType | undefined = schema;
  for (const token of [...path, null]) {
    while (node instanceof z.ZodOptional) node = node.unwrap();
    if (token === null) break;
    if (node instanceof z.ZodObject) node = (node.shape as Record<string, z.core.$ZodType>)[token];
    else if (node instanceof z.ZodRecord) node = node.valueType;
    else if (node instanceof z.ZodArray) node = node.element;
    else return [];
  }
  return node instanceof z.ZodObject ? Object.keys(node.shape) : [];
}

export const pointerOf = (path: readonly string[]): string => path.map((token) => `/${pointerToken(token)}`).join('');

/** Where a value stands, or the nearest thing around it that stands somewhere. */
export function placeOf(pointer: string, yaml: ParsedYaml): Position {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const position = yaml.values.get(at);
    if (position !== undefined) return position;
    if (at === '') return { line: 1, column: 1 };
  }
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let node: Json | undefined = value;
  for (const token of path) {
    if (Array.isArray(node)) node = (node as readonly Json[])[Number(token)];
    else if (typeof node === 'object' && node !== null && Object.hasOwn(node, token))
      node = (node as Record<string, Json>)[token];
    else return undefined;
  }
  return node;
}
