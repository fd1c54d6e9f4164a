import { z } from 'zod';
import { executorNameSchema, uuidSchema } from '#lib/formats';
import { SchemaValidationPipe } from './schema-validation.pipe.js';

const read = (schema: z.ZodType, data: string, value: unknown, type: 'param' | 'query' = 'param') =>
  new SchemaValidationPipe().transform(value, { type, data, schema });

describe('a parameter of a path', () => {
  it('is read if it is valid', async () => {
    expect(await read(executorNameSchema, 'name', 'fleet')).toBe('fleet');
  });

  it.each([
    ['name', executorNameSchema, 'My Fleet', /^There is nothing at this address: its name must be 1 to 63 lower-case/],
    ['id', uuidSchema, 'nonsense', /^There is nothing at this address: its id must be a UUID in lower case\.$/],
  ])('describes a valid %s if the value can be none', async (what, schema, value, message) => {
    await expect(read(schema, what, value)).rejects.toMatchObject({
      failure: { kind: 'not_found', code: 'resource.not_found', message: expect.stringMatching(message) as string },
    });
  });

  it('is not there if its schema has no description', async () => {
    await expect(read(z.coerce.number(), 'revision', 'x')).rejects.toMatchObject({
      failure: { code: 'resource.not_found', message: 'There is no such resource.' },
    });
  });
});

it('refuses a value that is not a number in a query', async () => {
  await expect(read(z.object({ limit: z.coerce.number() }), '', { limit: 'many' }, 'query')).rejects.toMatchObject({
    failure: { code: 'request.query_invalid', errors: [{ pointer: '/limit', message: 'must be a number' }] },
  });
});

it('suggests a member for an unknown one, also if none is missing', async () => {
  const schema = z.strictObject({ limit: z.coerce.number().optional(), state: z.string().optional() });
  await expect(read(schema, '', { limt: '2' }, 'query')).rejects.toMatchObject({
    failure: { errors: [{ pointer: '/limt', message: 'is not known here', suggestion: 'limit' }] },
  });
});

it('suggests a missing member below the document, whatever its type', async () => {
  const schema = z.strictObject({ when: z.strictObject({ start: z.enum(['manual', 'at']) }) });
  await expect(read(schema, '', { when: { strat: 'at' } }, 'query')).rejects.toMatchObject({
    failure: {
      errors: [
        { pointer: '/when/start', message: 'is missing' },
        { pointer: '/when/strat', suggestion: 'start' },
      ],
    },
  });
});

it('shows an unknown key bounded and inert', async () => {
  const key = `a\u202e${'x'.repeat(5_000)}`;
  const refused = new SchemaValidationPipe().transform(
    { [key]: 1 },
    { type: 'body', data: '', schema: z.strictObject({}) },
  );
  await expect(refused).rejects.toMatchObject({
    failure: { code: 'request.invalid', errors: [{ pointer: `/a⟦U+202E⟧${'x'.repeat(198)}` }] },
  });
});
