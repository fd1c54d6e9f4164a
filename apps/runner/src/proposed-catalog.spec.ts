import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { toolCatalogSchema } from '#lib/formats';
import { completeDefinition } from '#lib/tool';
import { proposedCatalog } from './proposed-catalog.js';
import { checksFrom } from './runner-config.js';
import { terminalRunDocument } from './terminal-run.js';

it('proposes tools that a catalog accepts as they stand', () => {
  const { tools } = toolCatalogSchema.parse(parse(proposedCatalog(['test'])));
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(['file-read', 'git-commit', 'terminal-run']));
  const completed = Object.entries(tools).map(([name, document]) => completeDefinition(name, document, ''));
  expect(completed.filter(({ ok }) => !ok)).toEqual([]);
});

it('has each tool of the guide, and no other one', () => {
  const guide = readFileSync('docs/runners.md', 'utf8');
  const listed = [...guide.matchAll(/^\| ([a-z]+-[a-z, -]+|search_workspace) \|/gm)].flatMap(([, names = '']) =>
    names.trim().split(', '),
  );
  expect(listed.sort()).toEqual(Object.keys(toolCatalogSchema.parse(parse(proposedCatalog(['test']))).tools).sort());
});

it('lets a session ask about lines that change something: no simulation is wanted', () => {
  const completed = completeDefinition('terminal-run', terminalRunDocument, '');
  expect(completed).toMatchObject({ ok: true, value: { simulation: 'not_applicable', requires_plan: false } });
});

it('gives a write the time of its checks, the one under way included', () => {
  const limits = (checks: readonly string[]): unknown[] => {
    const { tools } = toolCatalogSchema.parse(parse(proposedCatalog(checks)));
    return ['file-write', 'file-edit', 'file-read'].map((name) => tools[name]?.time_limit_seconds);
  };
  expect(limits([])).toEqual([15, 15, 15]);
  expect(limits(['test'])).toEqual([255, 255, 15]);
  expect(limits(['test', 'lint'])).toEqual([495, 495, 15]);
  expect(limits(checksFrom({}))).toEqual(limits(['test']));
  expect(limits(checksFrom({ COUNTERSIGN_RUNNER_CHECKS: ',' }))).toEqual(limits([]));
});
