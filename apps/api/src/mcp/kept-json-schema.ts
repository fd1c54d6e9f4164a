import type { z } from 'zod';

type Standard = z.ZodObject['~standard'];
type Conversion = Standard['jsonSchema']['input'];

/** A schema as MCP servers read it. */
type ServedSchema = Pick<z.ZodObject, '~standard'>;

/** The same schema, which makes each of its JSON Schemas once. A server is made for each request, and asks for all of them. */
export function keptJsonSchema(schema: z.ZodObject): ServedSchema {
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  return { '~standard': { ...standard, jsonSchema: { input: kept(input), output: kept(output) } } };
}

/**
 * The same schema of an input that its tool checks itself. The package would answer a mistake without a code, in words of zod.
 */
export const uncheckedInput = ({ '~standard': standard }: ServedSchema): ServedSchema => ({
  // The tool checks the value by its schema.
  '~standard': { ...standard, validate: (value) => ({ value: value as Record<string, unknown> }) },
});

function kept(convert: Conversion): Conversion {
  const made = new Map<string, ReturnType<Conversion>>();
  return (options) => {
    const found = made.get(options.target) ?? convert(options);
    made.set(options.target, found);
    return found;
  };
}
