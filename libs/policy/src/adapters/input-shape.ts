import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type Entrypoint, POLICY_INPUTS } from '#lib/contracts';

type Check = (value: unknown) => boolean;

/**
 * Whether a plain JSON value has exactly the shape of an entrypoint's input, with nothing to drop from it. Compiled from
 * the schema of the contract: it says yes to nothing that the schema refuses, and makes no copy, where a parse makes one
 * of every call of a plan. A no says nothing of where; the schema does.
 */
export const hasInputShape: Readonly<Record<Entrypoint, Check>> = Object.fromEntries(
  Object.entries(POLICY_INPUTS).map(([entrypoint, schema]) => [entrypoint, compile(schema)]),
) as Record<Entrypoint, Check>;

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
  // Lengths count as the schema counts them: in UTF-16 code units.
  const validate = new Ajv2020({ strict: true, messages: false, unicode: false, logger: false }).compile(shape);
  return (value) => validate(value);
}
