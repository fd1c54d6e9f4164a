import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { keyPathAt } from './key-path.js';

/** As much of JSON Schema as the documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
}

/** The schemas that a value may have one of; those of its entries for a list. */
export function variantsOf(root: Schema, schema: Schema | boolean | undefined): readonly Schema[] {
  if (typeof schema !== 'object') return [];
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return variantsOf(root, root.$defs?.[name]);
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return variants.flatMap((each) => variantsOf(root, each));
  return schema.items === undefined ? [schema] : variantsOf(root, schema.items);
}

const membersOf = (root: Schema, schemas: readonly Schema[], key: string): readonly Schema[] =>
  schemas.flatMap(({ properties, additionalProperties }) =>
    variantsOf(root, properties?.[key] ?? additionalProperties),
  );

const valuesOf = (schema: Schema): readonly string[] => {
  if (schema.enum !== undefined) return schema.enum;
  if (schema.const !== undefined) return [String(schema.const)];
  return schema.type === 'boolean' ? ['true', 'false'] : [];
};

function keyOption(root: Schema, label: string, member: Schema): Completion {
  const [found] = variantsOf(root, member);
  const info = member.description ?? found?.description;
  const isList = member.type === 'array';
  return {
    label,
    type: 'property',
    apply: isList || found?.type === 'object' ? `${label}:\n` : `${label}: `,
    ...(info === undefined ? {} : { info }),
  };
}

/** Completes keys and values of a YAML document from its schema. */
export const completeFrom =
  (root: Schema) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const from = context.matchBefore(/[\w-]*/)?.from ?? pos;
    if (from === pos && !explicit) return null;
    const { path, key } = keyPathAt(state.doc.sliceString(0, pos).split('\n'));
    let schemas = variantsOf(root, root);
    for (const each of path) schemas = membersOf(root, schemas, each);
    if (key !== null) {
      const values = new Set(membersOf(root, schemas, key).flatMap(valuesOf));
      return { from, options: [...values].map((label) => ({ label, type: 'constant' })) };
    }
    const members = new Map(schemas.flatMap(({ properties }) => Object.entries(properties ?? {})).reverse());
    return { from, options: [...members].map(([label, member]) => keyOption(root, label, member)) };
  };
