import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { z } from 'zod';
import { autonomyDocumentSchema } from '#lib/contracts';
import { keyPathAt } from './key-path.js';

interface Schema {
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

/** The schema that the API validates with. */
const root = z.toJSONSchema(autonomyDocumentSchema) as Schema;

function resolved(schema: Schema | boolean | undefined): Schema | undefined {
  if (typeof schema !== 'object') return undefined;
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : root.$defs?.[name];
}

const memberOf = (schema: Schema | undefined, key: string): Schema | undefined =>
  resolved(schema?.properties?.[key] ?? schema?.additionalProperties ?? schema?.items);

const valuesOf = (schema: Schema | undefined): string[] => {
  if (schema?.enum !== undefined) return [...schema.enum];
  if (schema?.const !== undefined) return [String(schema.const)];
  return schema?.type === 'boolean' ? ['true', 'false'] : [];
};

/** Completes keys and values of the autonomy document from its schema. */
export function completeAutonomy(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const word = context.matchBefore(/[\w-]*/);
  const from = word?.from ?? pos;
  if (from === pos && !explicit) return null;
  const lines = state.doc.sliceString(0, pos).split('\n');
  const { path, key } = keyPathAt(lines);
  let schema: Schema | undefined = root;
  for (const each of path) schema = memberOf(schema, each);
  if (key !== null)
    return { from, options: valuesOf(memberOf(schema, key)).map((label) => ({ label, type: 'constant' })) };
  const options = Object.entries(schema?.properties ?? {}).map(([label, member]): Completion => {
    const found = resolved(member);
    const info = found?.description;
    return {
      label,
      type: 'property',
      apply: found?.type === 'object' ? `${label}:\n` : `${label}: `,
      ...(info === undefined ? {} : { info }),
    };
  });
  return { from, options };
}
