import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { DOCUMENT_NAMES, documentJsonSchema, type DocumentName } from '#lib/formats';
import { packageRoot } from '#lib/database';
import { createProgram } from '../../apps/cli/src/program.js';
import { routerProgram } from '../../apps/router/src/router-program.js';
import { referenceFiles } from '../../tools/reference-files.mjs';

const root = packageRoot();
/** The command line only describes itself here. */
const unused = (): never => {
  throw new Error('a description reads nothing and asks nobody');
};
const generated = referenceFiles(
  (name) => documentJsonSchema(name as DocumentName),
  (out) =>
    createProgram({
      environment: {},
      out,
      err: unused,
      readLine: unused,
      readAll: unused,
      pieces: unused,
      replay: unused,
    }),
  (out) => routerProgram({ out, err: unused }),
);

const accepts = (name: DocumentName, document: unknown): boolean =>
  new Ajv2020({ strict: false, validateFormats: false }).validate(documentJsonSchema(name), document);

describe('the reference generated from the schemas of the documents', () => {
  it.each(Object.keys(generated))('%s is as the code has it (npm run references)', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(readFileSync(join(root, path), 'utf8')).toBe(generated[path]);
  });

  it('is a schema and a page for every document, and a page for the command line', () => {
    expect(Object.keys(generated).sort()).toEqual(
      [
        'docs/reference/cli.md',
        ...DOCUMENT_NAMES.flatMap((name) => [`docs/reference/${name}.md`, `schemas/${name}.schema.json`]),
      ].sort(),
    );
  });

  it('takes the documents of the catalog, and refuses a member that does not exist', () => {
    const read = (file: string): Record<string, unknown> =>
      parse(readFileSync(join(root, 'catalog', file), 'utf8')) as Record<string, unknown>;
    expect(accepts('tool-catalog', read('adr-009.yaml'))).toBe(true);
    expect(accepts('autonomy', read('autonomy.yaml'))).toBe(true);
    expect(accepts('autonomy', { ...read('autonomy.yaml'), emergency: {} })).toBe(false);
    expect(
      accepts('plan', { phases: [{ name: 'all', targets: [], steps: [{ id: 'a', tool: 'query', arguments: {} }] }] }),
    ).toBe(true);
    expect(accepts('plan', { phases: [] })).toBe(false);
  });
});
