import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { toolDocumentSchema } from '#lib/formats';
import { completeDefinition } from './complete-definition.js';
import { level } from './level.js';
import { SKILL_CATEGORIES } from './seed-categories.js';

const path = join(__dirname, '../../../../../examples/agent-services/tools.yaml');
const { tools } = parse(readFileSync(path, 'utf8')) as { readonly tools: Readonly<Record<string, unknown>> };

/** The tools that no runner carries out, each with its category and level. */
const SERVICES = [
  ['memory-query', 'read', 'low'],
  ['memory-write', 'workspace-write', 'medium'],
  ['memory-delete', 'workspace-write', 'medium'],
  ['diagnostics', 'read', 'low'],
  ['code-symbols', 'read', 'low'],
  ['audio-input', 'audio-input', 'low'],
  ['audio-output', 'audio-output', 'low'],
] as const;

describe('the services of an agent that a tenant may serve', () => {
  it.each(SERVICES)('%s is a %s of the level %s, with the time limit of its surface', (name, category, wanted) => {
    const read = completeDefinition(name, toolDocumentSchema.parse(tools[name]), '');
    expect(read).toMatchObject({
      ok: true,
      value: { ...SKILL_CATEGORIES[category], requires_plan: false, time_limit_seconds: 15 },
    });
    if (read.ok) expect(level(read.value)).toBe(wanted);
  });

  it.each([
    ['asset', 30],
    ['network', 30],
    ['terminal', 15],
    ['git', 15],
  ] as const)('share the time limit of a surface: %s', (surface, seconds) => {
    const document = { description: 'A tool.', risk: 'read_only', idempotent: true, scope: 'asset', surface } as const;
    expect(completeDefinition('any', document, '')).toMatchObject({ value: { time_limit_seconds: seconds } });
  });

  it('are these alone', () => {
    expect(Object.keys(tools).sort()).toEqual(SERVICES.map(([name]) => name).sort());
  });
});
