/**
 * Writes the files generated from the code. They are the JSON Schemas of the documents (schemas/) and their reference pages
 * (docs/reference/). The others are the types of the client (libs/clients/client/src/api.ts) and the Python client
 * (clients/python). Tests in test/packaging refuse one that is out of date.
 *
 *   npm run references
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { apiConfigFrom } from '../dist/apps/api/src/api-config.js';
import { AppModule } from '../dist/apps/api/src/app.module.js';
import { RouteDeclarations } from '../dist/apps/api/src/http/route-declarations.js';
import { ApiDescription } from '../dist/apps/api/src/operation/api-description.js';
import { createProgram } from '../dist/apps/cli/src/program.js';
import { routerProgram } from '../dist/apps/router/src/router-program.js';
import { documentJsonSchema } from '../dist/libs/foundation/formats/src/index.js';
import { clientTypes } from './client-types.mjs';
import { pythonClient } from './python-client.mjs';
import { referenceFiles } from './reference-files.mjs';

/** The command line does nothing here but describe itself. */
const silent = {
  environment: {},
  err: () => undefined,
  readLine: async () => null,
  readAll: async () => '',
  pieces: () => [],
  replay: async () => [],
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Stands in for the use cases of an API that does not start. */
const absent = new Proxy(() => absent, { get: (_target, name) => (name === 'then' ? undefined : absent) });

const controllersOf = ({ module = null, imports = [], controllers = [] }) => [
  ...controllers,
  ...((module && Reflect.getMetadata('controllers', module)) ?? []),
  ...imports.flatMap(controllersOf),
];

/** The guards of a controller and of its routes. */
const guardsOf = (controller) =>
  [controller, ...Object.values(Object.getOwnPropertyDescriptors(controller.prototype)).map(({ value }) => value)]
    .filter((declared) => typeof declared === 'function')
    .flatMap((declared) => Reflect.getMetadata('__guards__', declared) ?? []);

/** Stands in for each part that a controller or a guard asks Nest for. */
const partsOf = (asking) => {
  const named = Reflect.getMetadata('self:paramtypes', asking) ?? [];
  const types = [...(Reflect.getMetadata('design:paramtypes', asking) ?? [])];
  for (const { index, param } of named) types[index] = param;
  return types.map((provide) => ({ provide, useValue: {} }));
};

/** The OpenAPI document of an API that does not start: Nest reads its controllers, and creates no part of it. */
async function apiDocument() {
  const controllers = controllersOf(AppModule.of(apiConfigFrom({}, root), absent, {}));
  const providers = [...controllers, ...controllers.flatMap(guardsOf)].flatMap(partsOf);
  const app = await NestFactory.create({ module: AppModule, controllers, providers }, new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
  const routes = new RouteDeclarations(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner());
  const description = new ApiDescription(routes);
  description.describe(app);
  return description.document;
}

const document = await apiDocument();
const files = {
  ...referenceFiles(
    documentJsonSchema,
    (out) => createProgram({ ...silent, out }),
    (out) => routerProgram({ ...silent, out }),
  ),
  'libs/clients/client/src/api.ts': await clientTypes(document),
  ...pythonClient(document),
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
