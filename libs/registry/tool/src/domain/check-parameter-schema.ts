import { canonicalJson, isJsonObject, type Json, type JsonObject } from '#lib/canonical';
import type { FieldError } from '#lib/kernel';
import { escapePointer, member } from './json-pointer.js';
import { definitionName, keywordMistakes } from './schema-keywords.js';

const MAX_SCHEMA_CHARACTERS = 32_768;
const MAX_SCHEMA_DEPTH = 32;
const MAX_EXPANDED_NODES = 2_000;

const one = [
  'additionalProperties',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const maps = ['properties', 'patternProperties', 'dependentSchemas'] as const;
/** Keywords below which a value is still exactly one place in the arguments, so that a secret may stand there. */
const plain: readonly string[] = ['properties', 'items'];

interface Child {
  readonly keyword: string;
  readonly path: string;
  readonly schema: Json;
}

function childrenOf(schema: JsonObject): Child[] {
  const children: Child[] = [];
  for (const keyword of one) {
    const value = member(schema, keyword);
    if (value !== undefined) children.push({ keyword, path: `/${keyword}`, schema: value });
  }
  for (const keyword of lists) {
    const value = member(schema, keyword);
    if (Array.isArray(value)) {
      const items: readonly Json[] = value;
      items.forEach((item, index) => children.push({ keyword, path: `/${keyword}/${String(index)}`, schema: item }));
    }
  }
  for (const keyword of maps) {
    const value = member(schema, keyword);
    if (!isJsonObject(value)) continue;
    for (const [name, item] of Object.entries(value)) {
      children.push({ keyword, path: `/${keyword}/${escapePointer(name)}`, schema: item });
    }
  }
  return children;
}

/**
 * Finds the members of a tenant's schema that make a check of arguments unsafe (T24). With them it could take unbounded
 * time, reach outside the document, or have two readings. The validator decides whether it is valid JSON Schema.
 *
 * @param at the pointer of the schema in the submitted document.
 */
export function checkParameterSchema(schema: JsonObject, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (pointer: string, message: string, suggestion?: string): void => {
    if (errors.length < 20) {
      errors.push({
        pointer: `${at}${pointer}`,
        code: 'tool.unsafe_schema',
        message,
        ...(suggestion === undefined ? {} : { suggestion }),
      });
    }
  };
  if (canonicalJson(schema).length > MAX_SCHEMA_CHARACTERS) {
    refuse('', `A schema has at most ${String(MAX_SCHEMA_CHARACTERS)} characters.`);
    return errors;
  }
  if (member(schema, 'type') !== 'object')
    refuse('', 'The schema of arguments has "type": "object" at its top.', 'type: object');

  const definitions = member(schema, '$defs');
  const sizes = new Map<string, number>();
  const open = new Set<string>();
  /** Counts the schema's nodes as if every $ref were written out. A schema that refers to itself has no such count. */
  const visit = (node: Json, path: string, depth: number, secretAllowed: boolean): number => {
    if (!isJsonObject(node)) return 1;
    if (depth > MAX_SCHEMA_DEPTH) {
      refuse(path, `A schema is at most ${String(MAX_SCHEMA_DEPTH)} levels deep.`);
      return 1;
    }
    for (const mistake of keywordMistakes(node, path)) refuse(mistake.path, mistake.message, mistake.suggestion);
    if (member(node, 'writeOnly') === true && !secretAllowed) {
      refuse(
        `${path}/writeOnly`,
        'A secret stands at one place of its own, below properties and items only. It cannot be in $defs or in an alternative.',
      );
    }
    if (Object.hasOwn(node, '__proto__') || Object.hasOwn(node, '$secret'))
      refuse(path, 'This keyword is not supported.');
    let size = 1;
    for (const child of childrenOf(node)) {
      size += visit(child.schema, `${path}${child.path}`, depth + 1, secretAllowed && plain.includes(child.keyword));
    }
    const name = definitionName(member(node, '$ref'));
    if (name !== null) size += visitDefinition(name, `${path}/$ref`, depth);
    return Math.min(size, MAX_EXPANDED_NODES + 1);
  };
  const visitDefinition = (name: string, path: string, depth: number): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const definition = member(definitions, name);
    if (definition === undefined) {
      refuse(path, `There is no definition "${name}" in $defs.`);
      return 1;
    }
    if (open.has(name)) {
      refuse(path, 'A schema that refers to itself is not supported.');
      return 1;
    }
    open.add(name);
    const size = visit(definition, `/$defs/${escapePointer(name)}`, depth + 1, false);
    open.delete(name);
    sizes.set(name, size);
    return size;
  };

  const size = visit(schema, '', 0, true);
  if (isJsonObject(definitions)) for (const name of Object.keys(definitions)) visitDefinition(name, '/$defs', 0);
  if (size > MAX_EXPANDED_NODES)
    refuse('', `With every $ref written out, a schema has at most ${String(MAX_EXPANDED_NODES)} parts.`);
  return errors;
}

/** The places of secrets: pointers into the arguments, `*` for every item of an array. */
export function secretPointers(schema: JsonObject): string[] {
  const found: string[] = [];
  const visit = (node: Json | undefined, path: string): void => {
    if (!isJsonObject(node)) return;
    if (member(node, 'writeOnly') === true) {
      found.push(path);
      return;
    }
    const properties = member(node, 'properties');
    if (isJsonObject(properties)) {
      for (const [name, child] of Object.entries(properties)) visit(child, `${path}/${escapePointer(name)}`);
    }
    visit(member(node, 'items'), `${path}/*`);
  };
  visit(schema, '');
  return found;
}
