import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiDocument, DescribedOperation } from '../../apps/api/src/operation/api-description.js';
import type { TestApi } from './api.js';

/** One operation of the OpenAPI document. */
export interface ApiRoute {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces: `/v1/people/{id}`. */
  readonly path: string;
  readonly operation: DescribedOperation;
  /** The path parameters, in order. */
  readonly parameters: readonly string[];
  readonly contentType: string | undefined;
}

/** The API's own description. It takes a second to make: the first test file that asks keeps it in the folder of the run. */
export async function apiDocument(api: TestApi): Promise<ApiDocument> {
  const kept = join(tmpdir(), 'openapi.json');
  if (!existsSync(kept)) {
    const aside = `${kept}.${String(process.pid)}`;
    writeFileSync(aside, (await api.http().get('/v1/openapi.json')).text);
    renameSync(aside, kept);
  }
  return JSON.parse(readFileSync(kept, 'utf8')) as ApiDocument;
}

/** Every route of the API as its own description lists them. */
export async function apiRoutes(api: TestApi): Promise<ApiRoute[]> {
  const { paths } = await apiDocument(api);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? ''),
      contentType: Object.keys(operation.requestBody?.content ?? {})[0],
    })),
  );
}

/** The path with its parameters filled in. */
export const fillPath = (route: ApiRoute, values: Readonly<Record<string, string>>): string =>
  route.path.replace(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${route.id} has a parameter {${name}} and no value for it`);
    return encodeURIComponent(value);
  });
