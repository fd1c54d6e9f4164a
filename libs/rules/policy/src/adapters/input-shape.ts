import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type Entrypoint, POLICY_INPUTS } from '#lib/contracts';

type Check = (value: unknown) => boolean;

/**
 * Whether a plain JSON value has exactly the shape of an entrypoint's input, with nothing to drop from it. Compiled from
 * the schema of the contract when first asked, since few processes decide on every entrypoint: it says yes to nothing
 * that the schema refuses, and makes no copy, where a parse makes one of every call of a plan. A no says nothing of
 * where; the schema does.
 */
export const hasInputShape = Object.fromEntries(
  Object.entries(POLICY_INPUTS).map(([entrypoint, schema]) => [entrypoint, compiledWhenAsked(schema)]),
) as Readonly<Record<Entrypoint, Check>>;

function compiledWhenAsked(schema: z.ZodType): Check {
  let check: Check | undefined;
  return (value) => (check ??= compile(schema))(value);
}

function compile(schema: z.ZodType): Check {
  const shape = z.toJSONSchema(schema, {
    // Of what comes out of the schema: there, an object with members that it would have dropped is not of its shape.
    io: 'output',
    // Functions of their own for the parts, small enough for the engine to optimise; one for all of it is six times slower.
    reused: 'ref',
    override: ({ jsonSchema }) => {
      // A null is told from the rest before the rest is tried in vain.
      jsonSchema.anyOf?.sort((a, b) => Number(b.type === 'null') - Number(a.type === 'null'));
    },
  });
  const validate = new Ajv2020({
    strict: true,
    messages: false,
    logger: false,
    // Lengths count as the schema counts them: in UTF-16 code units.
    unicode: false,
    // The schema is zod's: holding it to the dialect's own would take longer than compiling it.
    validateSchema: false,
  }).compile(shape);
  return (value) => validate(value);
}
