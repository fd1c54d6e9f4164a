import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { keyPathAt } from './key-path.js';

/** As much of JSON Schema as the document's uses. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
}

function resolved(root: Schema, schema: Schema | boolean | undefined): Schema | undefined {
  if (typeof schema !== 'object') return undefined;
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : root.$defs?.[name];
}

const memberOf = (root: Schema, schema: Schema | undefined, key: string): Schema | undefined =>
  resolved(root, schema?.properties?.[key] ?? schema?.additionalProperties ?? schema?.items);

const valuesOf = (schema: Schema | undefined): string[] => {
  if (schema?.enum !== undefined) return [...schema.enum];
  if (schema?.const !== undefined) return [String(schema.const)];
  return schema?.type === 'boolean' ? ['true', 'false'] : [];
};

/** Completes keys and values of a YAML document from its schema. */
export const completeFrom =
  (root: Schema) =>
  (context: CompletionContext): CompletionResult | null => {
    const { state, pos, explicit } = context;
    const from = context.matchBefore(/[\w-]*/)?.from ?? pos;
    if (from === pos && !explicit) return null;
    const { path, key } = keyPathAt(state.doc.sliceString(0, pos).split('\n'));
    let schema = resolved(root, root);
    for (const each of path) schema = memberOf(root, schema, each);
    if (key !== null)
      return { from, options: valuesOf(memberOf(root, schema, key)).map((label) => ({ label, type: 'constant' })) };
    const options = Object.entries(schema?.properties ?? {}).map(([label, member]): Completion => {
      const found = resolved(root, member);
      const info = found?.description;
      return {
        label,
        type: 'property',
        apply: found?.type === 'object' ? `${label}:\n` : `${label}: `,
        ...(info === undefined ? {} : { info }),
      };
    });
    return { from, options };
  };
