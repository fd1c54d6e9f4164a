import type { HookValues } from './placeholders.js';
import { PLACEHOLDERS } from './placeholders.js';
import { fillCommand } from './fill-command.js';
import type { CommandAction } from './lifecycle-hook.js';

const action = (more: Partial<CommandAction>): CommandAction => ({
  ...{ type: 'command', program: 'tell', arguments: [], variables: {}, timeoutSeconds: 30 },
  ...{ pool: 'builders', environment: 'production' },
  ...more,
});
const values = (error: string): HookValues => ({
  ...(Object.fromEntries(PLACEHOLDERS.map((name) => [name, `the ${name}`])) as Omit<HookValues, 'argument'>),
  error,
  argument: (path) => `the argument ${path}`,
});
const hostile = ['-rf', '--', '$(id)', '; rm -rf /', 'one\ntwo', '`id`', '{{args}}', '" \' \\', ''];

it.each(hostile)('%j after -- is one whole argument', (value) => {
  expect(fillCommand(action({ arguments: ['-a', '--', '{{error}}', 'end'] }), values(value))).toMatchObject({
    ok: true,
    value: { program: 'tell', arguments: ['-a', '--', value, 'end'] },
  });
});

it.each(hostile)('%j is the whole value of a variable', (value) => {
  expect(fillCommand(action({ variables: { HOOK_A: '{{ error }}' } }), values(value))).toMatchObject({
    ok: true,
    value: { variables: { HOOK_A: value } },
  });
});

it.each(hostile)('%j before -- is refused if it begins with -', (value) => {
  const filled = fillCommand(action({ arguments: ['{{error}}', '--'] }), values(value));
  if (value.startsWith('-'))
    expect(filled).toMatchObject({ ok: false, error: { code: 'lifecycle_hook.leading_dash' } });
  else expect(filled).toMatchObject({ ok: true, value: { arguments: [value, '--'] } });
});

it('a value -- opens nothing for a later placeholder', () => {
  const filled = fillCommand(action({ arguments: ['{{error}}', '{{error}}'] }), values('--'));
  expect(filled).toMatchObject({ ok: false, error: { code: 'lifecycle_hook.leading_dash' } });
});

it.each([
  ['a NUL', 'a\0b', 'lifecycle_hook.nul'],
  ['a long value', 'a'.repeat(8_193), 'lifecycle_hook.value_too_long'],
])('%s is refused', (_what, value, code) => {
  for (const wanted of [action({ arguments: ['--', '{{error}}'] }), action({ variables: { HOOK_A: '{{error}}' } })])
    expect(fillCommand(wanted, values(value))).toMatchObject({ ok: false, error: { code } });
});

it('too many long values together are refused', () => {
  const filled = fillCommand(
    action({ arguments: ['--', ...Array.from({ length: 9 }, () => '{{error}}')] }),
    values('a'.repeat(8_000)),
  );
  expect(filled).toMatchObject({ ok: false, error: { code: 'lifecycle_hook.value_too_long' } });
});
