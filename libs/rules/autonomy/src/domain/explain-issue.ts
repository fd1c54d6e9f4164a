import { z } from 'zod';
import { isJsonList, isJsonObject, ownMember, type Json } from '#lib/canonical';
import { type FieldError } from '#lib/kernel';
import { closest, visibleText } from '#lib/words';
import { pointerToken, type ParsedYaml, type Position } from './parse-yaml.js';

/** A document that a schema refused. */
export interface RefusedDocument {
  /** The prefix of its error codes: `autonomy` gives `autonomy.unknown_key`. */
  readonly area: string;
  readonly schema: z.core.$ZodType;
  readonly value: Json;
  /** The lines of its values, if it was written as YAML. */
  readonly yaml: ParsedYaml | null;
  /** The right place of a key that belongs elsewhere in such a document. */
  readonly homeOf?: (key: string, path: readonly string[]) => string | undefined;
}

type Issue = z.core.$ZodIssue;

/**
 * Explains a schema's issue to the author of the document: the error, its line, and the probable intention. The document was read
 * with `wordsOfIssue`, so that no message is one of zod.
 */
export function explainIssue(issue: Issue, document: RefusedDocument): FieldError[] {
  const path = issue.path.map(String);
  const pointer = pointerOf(path);
  if (issue.code === 'unrecognized_keys') return unknownKeys(path, issue.keys, document);
  const named = path.findLast((token) => !/^\d+$/.test(token)) ?? '';
  const key = `${named === '' || named === path.at(-1) ? '' : 'An entry of '}${shown(named)}`;
  const value = valueAt(document.value, path);
  const position = positionIfParsed(value === undefined ? pointerOf(path.slice(0, -1)) : pointer, document.yaml);
  const error = (what: string, message: string, suggestion?: string): FieldError[] => [
    {
      pointer,
      code: `${document.area}.${what}`,
      message,
      ...position,
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  ];
  if (value === undefined)
    return error(
      'missing_key',
      `${path.at(-1) ?? 'The document'} is missing${path.length > 1 ? ` in ${shown(path.slice(0, -1).join('.'))}` : ''}.`,
    );
  const allowed = allowedBy(issue);
  if (allowed !== null)
    return error(
      'wrong_value',
      `${key} is one of ${allowed.join(', ')}.`,
      typeof value === 'string' ? (closest(value, allowed) ?? spoken(value, allowed)) : undefined,
    );
  switch (issue.code) {
    case 'invalid_type':
      return error(
        'wrong_type',
        `${key === '' ? 'The document' : key} is ${ownMember(A_KIND, issue.expected) ?? issue.expected}, and this is ${kindOf(value)}.`,
        meant(value, issue.expected),
      );
    case 'too_small':
      return error('out_of_range', `${key} ${boundOf('at least', Number(issue.minimum), issue.origin)}.`);
    case 'too_big':
      return error('out_of_range', `${key} ${boundOf('at most', Number(issue.maximum), issue.origin)}.`);
    case 'invalid_key':
      return [
        {
          pointer,
          code: `${document.area}.wrong_name`,
          message: issue.issues[0]?.message ?? 'This name is not possible.',
          ...(document.yaml?.keys.get(pointer) ?? position),
        },
      ];
    default:
      return error('wrong_value', `${key}: ${issue.message}.`);
  }
}

/** The author's own text, bounded and inert. */
const shown = (key: string): string => visibleText(key.slice(0, 100));

/** The values that are possible, also of the member that tells the forms of a union apart. */
function allowedBy(issue: Issue): readonly string[] | null {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return issue.code === 'invalid_union' && 'options' in issue ? (issue.options ?? []).map(String) : null;
}

function boundOf(which: string, bound: number, origin: string): string {
  const parts = ownMember(PARTS, origin);
  return parts === undefined
    ? `is ${which} ${String(bound)}`
    : `has ${which} ${String(bound)} ${parts[bound === 1 ? 'one' : 'many']}`;
}

const PARTS: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  string: { one: 'character', many: 'characters' },
  array: { one: 'entry', many: 'entries' },
  record: { one: 'key', many: 'keys' },
  object: { one: 'key', many: 'keys' },
};

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
    : `${typeof value === 'string' ? 'the word' : 'the value'} ${visibleText(JSON.stringify(value).slice(0, 60))}`;
}

/** YAML 1.1 had these for booleans, and a single approver is easily written without its brackets. */
function meant(value: Json, expected: string): string | undefined {
  if (expected === 'boolean' && typeof value === 'string') {
    if (/^(yes|on|y|true)$/i.test(value)) return 'true';
    if (/^(no|off|n|false)$/i.test(value)) return 'false';
  }
  if (expected === 'array' && typeof value === 'string') return `[${value.slice(0, 60)}]`;
  if ((expected === 'number' || expected === 'int') && typeof value === 'string' && /^\d{1,6}$/.test(value))
    return value;
  return undefined;
}

const spoken = (value: string, allowed: readonly string[]): string | undefined =>
  allowed.find((candidate) => candidate === value.toLowerCase().replaceAll(/[\s-]+/g, '_'));

/** Each key that is not there, with the nearest key that the document lacks: none is suggested twice. */
function unknownKeys(path: readonly string[], keys: readonly string[], document: RefusedDocument): FieldError[] {
  const known = keysAt(document.schema, path, document.value);
  const taken = new Set(Object.keys(valueAt(document.value, path) ?? {}));
  return keys.map((key) => {
    const near = closest(
      key,
      known.filter((one) => !taken.has(one)),
    );
    if (near !== undefined) taken.add(near);
    return unknownKey(path, key, document, { known, near });
  });
}

function unknownKey(
  path: readonly string[],
  key: string,
  document: RefusedDocument,
  { known, near }: { readonly known: readonly string[]; readonly near: string | undefined },
): FieldError {
  const pointer = pointerOf([...path, key]);
  const elsewhere = near === undefined ? document.homeOf?.(key, path) : undefined;
  const suggestion = near ?? elsewhere;
  return {
    pointer,
    code: `${document.area}.unknown_key`,
    message:
      elsewhere === undefined
        ? `There is no key ${JSON.stringify(shown(key))} here; there are ${known.join(', ')}.`
        : `${shown(key)} does not stand here.`,
    ...(document.yaml?.keys.get(pointer) ?? positionIfParsed(pointerOf(path), document.yaml)),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** The keys that the schema knows at a path of the document; a record takes any name. Of a union, those of the document's kind. */
export function keysAt(schema: z.core.$ZodType, path: readonly string[], document: Json): string[] {
  let node: z.core.$ZodType | undefined = schema;
  for (const [depth, token] of [...path, null].entries()) {
    while (node instanceof z.ZodOptional) node = node.unwrap();
    if (node instanceof z.ZodDiscriminatedUnion) node = optionOf(node, valueAt(document, path.slice(0, depth)));
    if (token === null) break;
    if (node instanceof z.ZodObject) node = ownMember<z.core.$ZodType>(node.shape, token);
    else if (node instanceof z.ZodRecord) node = node.valueType;
    else if (node instanceof z.ZodArray) node = node.element;
    else return [];
  }
  if (node instanceof z.ZodDiscriminatedUnion)
    return [...new Set(node.options.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : [])))];
  return node instanceof z.ZodObject ? Object.keys(node.shape) : [];
}

/** The option that a value names by its discriminator; the union if it names none. */
function optionOf(union: z.ZodDiscriminatedUnion, value: Json | undefined): z.core.$ZodType {
  const { discriminator } = union.def;
  const named = value === undefined ? undefined : valueAt(value, [discriminator]);
  const isNamed = (option: z.core.$ZodType): boolean =>
    // Each option of the union has the discriminator.
    option instanceof z.ZodObject && (option.shape[discriminator] as z.ZodType).safeParse(named).success;
  return union.options.find(isNamed) ?? union;
}

export const pointerOf = (path: readonly string[]): string => path.map((token) => `/${pointerToken(token)}`).join('');

/** The position of a value, or of the nearest value around it that has one. */
export function positionOf(pointer: string, yaml: ParsedYaml): Position {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const position = yaml.values.get(at);
    if (position !== undefined) return position;
    if (at === '') return { line: 1, column: 1 };
  }
}

export function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let node: Json | undefined = value;
  for (const token of path) {
    if (isJsonList(node)) node = node[Number(token)];
    else if (isJsonObject(node) && Object.hasOwn(node, token)) node = node[token];
    else return undefined;
  }
  return node;
}

const positionIfParsed = (pointer: string, yaml: ParsedYaml | null): Partial<Position> =>
  yaml === null ? {} : positionOf(pointer, yaml);
