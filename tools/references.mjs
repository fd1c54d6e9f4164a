/**
 * Writes what is generated from the code: the JSON Schemas of the documents (schemas/) and their reference pages
 * (docs/reference/). test/packaging/references.spec.ts refuses a page that is out of date.
 *
 *   npm run references
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProgram } from '../dist/apps/cli/src/program.js';
import { documentJsonSchema } from '../dist/libs/contracts/src/index.js';
import { referenceFiles } from './reference-files.mjs';

/** The command line does nothing here but describe itself. */
const silent = {
  environment: {},
  err: () => undefined,
  readLine: async () => null,
  readAll: async () => '',
  replay: async () => [],
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const [path, text] of Object.entries(
  referenceFiles(documentJsonSchema, (out) => createProgram({ ...silent, out })),
)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}
