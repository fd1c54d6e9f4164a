import { z } from 'zod';
import { keptJsonSchema } from './kept-json-schema.js';

it('makes each JSON Schema of a schema once, and validates as before', async () => {
  const schema = z.object({ name: z.string().default('Ada') });
  const served = keptJsonSchema(schema)['~standard'];
  const options = { target: 'draft-2020-12' } as const;
  expect(served.jsonSchema.input(options)).toEqual(schema['~standard'].jsonSchema.input(options));
  expect(served.jsonSchema.output(options)).toEqual(schema['~standard'].jsonSchema.output(options));
  expect(served.jsonSchema.input(options)).toBe(served.jsonSchema.input(options));
  expect(served.jsonSchema.output(options)).not.toBe(served.jsonSchema.input(options));
  expect(await served.validate({})).toEqual({ value: { name: 'Ada' } });
});
