import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** A string that somebody reads in a browser, in Slack and on the command line alike. */
const SAID = /\b(?:message|action):\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g;

const routesIn = (source: string): string[] =>
  [...source.matchAll(SAID)]
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .filter((text) => /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\//.test(text));

describe('what refusals say', () => {
  it('names no route: people read it on pages too, and programs have `route`', () => {
    const files = ['libs', 'apps/api/src'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    expect(files.length).toBeGreaterThan(500);
    const found = files.flatMap((file) =>
      routesIn(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('is found where it names one', () => {
    expect(routesIn("{\n  action: 'Step up again: POST /v1/step-ups.',\n}")).toHaveLength(1);
    expect(routesIn("{\n  action:\n    'Read it: /v1/openapi.json.',\n}")).toHaveLength(1);
  });
});
