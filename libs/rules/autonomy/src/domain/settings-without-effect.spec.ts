import { readFileSync } from 'node:fs';
import { readDocument } from './read-document.js';
import { settingsWithoutEffect } from './settings-without-effect.js';

const environments = [
  { name: 'production', production: true },
  { name: 'staging', production: false },
];

function warnedOf(source: string): unknown[] {
  const read = readDocument(source);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return settingsWithoutEffect(read.value, environments).map(({ code, line, pointer }) => [code, line, pointer]);
}

const document = (production: string, overrides = ''): string => `autonomy:
  mode: plan_only
  environments:
    production: { mode: canary_only, allowed_approvers: [SRELead]${production} }
    staging: { mode: canary_only, max_batch_percent: 50, require_approval: false }
${overrides}`;

const override = (setting: string): string => document('', `  tool_overrides:\n    restart: { ${setting} }\n`);

describe('settings without effect', () => {
  it.each([
    [
      'a larger batch in production',
      document(', max_batch_percent: 21'),
      4,
      '/autonomy/environments/production/max_batch_percent',
    ],
    [
      'no approval in production',
      document(', require_approval: false'),
      4,
      '/autonomy/environments/production/require_approval',
    ],
    ['a looser mode for a tool', override('mode: full_auto'), 7, '/autonomy/tool_overrides/restart/mode'],
    [
      'the loosest mode for a tool, even if an environment has it',
      override('mode: full_auto').replace('canary_only, max', 'full_auto, max'),
      7,
      '/autonomy/tool_overrides/restart/mode',
    ],
    [
      'no approval for a tool',
      override('require_approval: false'),
      7,
      '/autonomy/tool_overrides/restart/require_approval',
    ],
    ['no second factor for a tool', override('require_mfa: false'), 7, '/autonomy/tool_overrides/restart/require_mfa'],
  ])('is %s', (_what, source, line, pointer) => {
    expect(warnedOf(source)).toEqual([['autonomy.without_effect', line, pointer]]);
  });

  it.each([
    ['limits of their own', document(', max_batch_percent: 20, require_approval: true')],
    ['an override as loose as an environment', override('mode: canary_only, require_mfa: true')],
    ['the catalog', readFileSync('catalog/autonomy.yaml', 'utf8')],
  ])('is nothing in %s', (_what, source) => {
    expect(warnedOf(source)).toEqual([]);
  });
});
