import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { toolCatalogSchema } from '#lib/formats';
import { completeDefinition } from '#lib/tool';
import { proposedCatalog } from './proposed-catalog.js';

it('proposes tools that a catalog accepts as they stand', () => {
  const { tools } = toolCatalogSchema.parse(parse(proposedCatalog()));
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(['file-read', 'git-commit', 'terminal-run']));
  const completed = Object.entries(tools).map(([name, document]) => completeDefinition(name, document, ''));
  expect(completed.filter(({ ok }) => !ok)).toEqual([]);
});

it('has each tool of the guide, and no other one', () => {
  const guide = readFileSync('docs/runners.md', 'utf8');
  const listed = [...guide.matchAll(/^\| ([a-z]+-[a-z, -]+) \|/gm)].flatMap(([, names = '']) =>
    names.trim().split(', '),
  );
  expect(listed.sort()).toEqual(Object.keys(toolCatalogSchema.parse(parse(proposedCatalog())).tools).sort());
});
