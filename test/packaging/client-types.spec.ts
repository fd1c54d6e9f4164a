import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { clientTypes } from '../../tools/client-types.mjs';
import { testApi } from '../support/api.js';

describe('the types of the client', () => {
  it('are those of the OpenAPI document that the API serves (npm run references)', async () => {
    const api = await testApi();
    try {
      const { body } = await api.http().get('/v1/openapi.json');
      expect(await clientTypes(body as object)).toBe(
        readFileSync(join(packageRoot(), 'libs', 'clients', 'client', 'src', 'api.ts'), 'utf8'),
      );
    } finally {
      await api.close();
    }
  }, 120_000);

  it('let a body omit a member with a default, which every answer has', async () => {
    const schema = { type: 'object', properties: { limit: { type: 'integer', default: 5 } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Rule' } } };
    const text = await clientTypes({
      openapi: '3.1.0',
      info: { title: 'one', version: '1' },
      paths: {
        '/v1/rule': { put: { requestBody: { content }, responses: { 200: { description: 'Done.', content } } } },
      },
      components: { schemas: { Rule: schema } },
    });
    expect(text).toMatch(/ Rule: \{\s+limit: number;/);
    expect(text).toMatch(/ RuleInput: \{\s+limit\?: number;/);
    expect(text).toMatch(/requestBody[^]*"RuleInput"[^]*responses[^]*"Rule"/);
  });
});
