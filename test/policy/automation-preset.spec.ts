import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { toolCatalogSchema } from '#lib/formats';
import { completeDefinition } from '../../libs/registry/tool/src/domain/complete-definition.js';
import { requireListable } from '../../libs/stages/automation/src/domain/safe-tool.js';

const toolsOf = (file: string) => toolCatalogSchema.parse(parse(readFileSync(`catalog/${file}`, 'utf8'))).tools;
const tools = toolsOf('automation/tools.yaml');
const preset = parse(readFileSync('catalog/automation/safe-list.yaml', 'utf8')) as readonly string[];

/** The lists of ADR-003. */
const ALLOWED = [
  ...['start_container', 'restart_container', 'start_app', 'restart_app', 'send_notification', 'backup_app'],
  ...['cleanup_hls_cache', 'set_setting', 'remember', 'update_memory'],
];
const EXCLUDED = [
  ...['install_app', 'stop_app', 'stop_container', 'write_app_config_file', 'apply_change', 'set_app_env'],
  'upgrade_app_image',
];

function definitionOf(name: string) {
  const document = tools[name];
  if (document === undefined) throw new Error(`the catalog has no ${name}`);
  const completed = completeDefinition(name, document, '');
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  return completed.value;
}

const isListable = (name: string): boolean => {
  const { effect, risk } = definitionOf(name);
  return requireListable({ tool: name, version: 1, digest: 'sha256:', effect, risk }).ok;
};

describe('the preset of the list of safe tools', () => {
  it('is the curated list of ADR-003 with the tool that heals servers, and can be put in force', () => {
    expect([...preset].sort()).toEqual(['restart_service_nonprod', ...ALLOWED].sort());
    expect(preset.filter((name) => !isListable(name))).toEqual([]);
  });

  it.each(EXCLUDED)('leaves out %s, of the modify tier', (name) => {
    expect(definitionOf(name).effect).toBe('modify');
    expect(preset).not.toContain(name);
  });

  it('could not have a destructive tool', () => {
    expect(isListable('uninstall_app')).toBe(false);
  });
});

it('docs/automations.md puts both catalogs into one file', () => {
  const [, command = ''] = /^(\{ cat .*\}) > \S+$/m.exec(readFileSync('docs/automations.md', 'utf8')) ?? [];
  const merged = toolCatalogSchema.parse(parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })));
  expect(merged.tools).toEqual({ ...toolsOf('adr-009.yaml'), ...tools });
});

it.each(['docs/automations.md', 'docs/tools.md', 'apps/web/src/automation/example.ts'])(
  'every tool of an automation in %s is one of the catalogs, or the page defines it',
  (file) => {
    const known = { ...tools, ...toolsOf('adr-009.yaml') };
    const text = readFileSync(file, 'utf8');
    const named = [...text.matchAll(/(?<![a-z_])(?:tool|safe-add|data\.facts\.tool):? \[?([a-z_]+)(?:, ([a-z_]+))?/g)]
      .flatMap(([, ...names]) => names)
      .filter((name) => typeof name === 'string' && name.includes('_'));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in known) && !text.includes(`\n  ${name}:`))).toEqual([]);
  },
);
