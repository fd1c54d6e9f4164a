import type { ApiDocument } from '../../apps/api/src/operation/api-description.js';
import { describedStatus } from '../support/described-status.js';
import { testApi, type TestApi } from '../support/api.js';

let api: TestApi;

beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

describe('the description of the API', () => {
  it('is OpenAPI 3.1, made from the schemas that validate', async () => {
    const { status, body } = await api.http().get('/v1/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/v1/people'].post).toMatchObject({
      operationId: 'people_add',
      security: [{ bearer: [] }],
      'x-required-scope': 'admin',
      'x-required-roles': ['PlatformAdmin'],
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPerson' } } } },
    });
    expect(body.components.schemas.NewPerson).toMatchObject({
      type: 'object',
      required: ['email', 'display_name'],
      additionalProperties: false,
    });
  });

  it('refers to nothing that it does not hold, and names every operation', async () => {
    const { text, body } = await api.http().get('/v1/openapi.json');
    const names = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map((found) => found[1] ?? '');
    const missing = names.filter((name) => !(name.replace('#/components/schemas/', '') in body.components.schemas));
    expect(missing).toEqual([]);
    const operations = Object.values<Record<string, { operationId: string; summary?: string }>>(body.paths).flatMap(
      (path) => Object.values(path),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    expect(operations.filter(({ summary = '' }) => summary === '').map(({ operationId }) => operationId)).toEqual([]);
  });

  it('types every answer and every body', async () => {
    const { body } = await api.http().get('/v1/openapi.json');
    const operations = Object.values((body as ApiDocument).paths).flatMap((path) => Object.values(path));
    const untyped = operations.filter(({ requestBody, responses }) => {
      const { default: _refusal, ...answers } = responses;
      const documents = Object.entries(answers).filter(([status]) => !/^(204|3..)$/.test(status));
      const parts = [
        ...documents.map(([, { content }]) => content),
        requestBody?.content ?? { none: { schema: { a: 1 } } },
      ];
      return (
        Object.keys(answers).length === 0 ||
        parts.some((content = {}) => {
          const schemas = Object.values(content).map(({ schema }) => schema);
          return schemas.length === 0 || schemas.some((schema) => Object.keys(schema).length === 0);
        })
      );
    });
    // Slack asks for the status 200, and reads no document.
    expect(untyped.map(({ operationId }) => operationId)).toEqual(['slack_interactions']);
  });

  it('can be read as a page that runs no script and loads nothing', async () => {
    const { status, headers, text } = await api.http().get('/docs');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
    );
    expect(text).toContain('/v1/people');
    expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
  });
});

describe('an answer', () => {
  it.each([
    ['of another status than its description has', 'GET', '/v1/tasks', 299, 'answered 299'],
    ['of a route without a description', 'GET', '/v1/nothing', 200, 'no description has GET /v1/nothing'],
  ])('%s is refused by the tests', (_what, method, path, status, refusal) => {
    expect(() => {
      describedStatus(api.app)(method, path, status);
    }).toThrow(refusal);
  });
});
