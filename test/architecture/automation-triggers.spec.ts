import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { automationTriggerSchema } from '#lib/formats';

const guide = readFileSync(join(__dirname, '../../docs/automations.md'), 'utf8');

it('docs/automations.md has a row for each type of trigger', () => {
  const [, table = ''] = /\n\| type \| starts a run \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(guide) ?? [];
  const rows = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, type]) => type);
  const types = automationTriggerSchema.options.map(({ shape }) => shape.type.value);
  expect(rows.toSorted()).toEqual(types.toSorted());
});
