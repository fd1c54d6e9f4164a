import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import type { FieldError } from '#lib/kernel';
import { documentOf } from './hook-document.js';
import { readHooks } from './read-hooks.js';

const RUNNER = 'runner: {pool: builders, environment: production}\n';
const hook = (more: string): string => `${RUNNER}hooks:\n  - name: one\n    event: tool.execute\n${more}`;
const command = (line: string, more = ''): string =>
  hook(`    action:\n      type: command\n      command: ${line}\n${more}`);

function errorsOf(source: string): readonly FieldError[] {
  const read = readHooks(source);
  if (read.ok) throw new Error('it was accepted');
  return read.error.errors ?? [];
}

/** A document with each kind of hook. */
const DOCUMENT = `hooks:
  - name: "pre-deploy-check"
    event: "tool.execute"
    matcher: "deploy*"
    action:
      type: "command"
      command: "scripts/pre-deploy-check.sh"
    enabled: true
  - name: "audit-shell"
    event: "tool.execute"
    matcher: "shell"
    action:
      type: "log"
      message: "Shell command executed: {{toolName}} with args: {{args}}"
    enabled: true
  - name: "notify-on-error"
    event: "agent.error"
    matcher: "*"
    action:
      type: "command"
      command: "scripts/notify-error.sh {{agentId}} {{error}}"
    enabled: true
`;

describe('a document of hooks', () => {
  it('is read as it stands, with the runners of its commands', () => {
    const runs = { type: 'command', variables: {}, timeoutSeconds: 30, pool: 'builders', environment: 'production' };
    expect(readHooks(RUNNER + DOCUMENT)).toEqual({
      ok: true,
      value: [
        {
          ...{ name: 'pre-deploy-check', event: 'tool.execute', matcher: 'deploy*', enabled: true },
          action: { ...runs, program: 'scripts/pre-deploy-check.sh', arguments: [] },
        },
        {
          ...{ name: 'audit-shell', event: 'tool.execute', matcher: 'shell', enabled: true },
          action: { type: 'log', message: 'Shell command executed: {{toolName}} with args: {{args}}' },
        },
        {
          ...{ name: 'notify-on-error', event: 'agent.error', matcher: '*', enabled: true },
          action: { ...runs, program: 'scripts/notify-error.sh', arguments: ['{{agentId}}', '{{error}}'] },
        },
      ],
    });
  });

  it('names no runner: each command is told so, with its place', () => {
    expect(errorsOf(DOCUMENT)).toMatchObject([
      { code: 'lifecycle_hook.no_runner', pointer: '/hooks/0/action', line: 6 },
      { code: 'lifecycle_hook.no_runner', pointer: '/hooks/2/action', line: 20 },
    ]);
  });

  it('is the same after it was written out again', () => {
    const read = readHooks(RUNNER + DOCUMENT);
    if (!read.ok) throw new Error(read.error.message);
    expect(readHooks(stringify({ hooks: read.value.map(documentOf) }))).toEqual(read);
  });
});

it('each document of the guide is read', () => {
  const guide = readFileSync('docs/lifecycle-hooks.md', 'utf8');
  const blocks = [...guide.matchAll(/^ *```yaml\n([^]*?)^ *```$/gm)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(readHooks(block)).toMatchObject({ ok: true });
});

describe('a mistake in a document', () => {
  it.each<[string, string, string, string]>([
    ['a placeholder as the program', command('"{{toolName}} --"'), 'placeholder_as_program', '/hooks/0/action/command'],
    ['a program by a relative path', command('../evil'), 'wrong_program', '/hooks/0/action/command'],
    ['a program by an absolute path', command('/bin/sh -c id'), 'wrong_program', '/hooks/0/action/command'],
    ['an option as the program', command('["-x"]'), 'wrong_program', '/hooks/0/action/command'],
    ['a part of an argument', command('["tell", "a={{error}}"]'), 'part_of_argument', '/hooks/0/action/command'],
    ['two in one argument', command('["tell", "{{error}}{{args}}"]'), 'part_of_argument', '/hooks/0/action/command'],
    ['an unknown placeholder', command('tell {{secret}}'), 'unknown_placeholder', '/hooks/0/action/command'],
    ['a pipe', command('tell | sh'), 'shell_syntax', '/hooks/0/action/command'],
    ['a substitution', command('tell $(id)'), 'shell_syntax', '/hooks/0/action/command'],
    ['a quote', command(`tell 'a b'`), 'shell_syntax', '/hooks/0/action/command'],
    ['a NUL', command('["tell", "a\\0"]'), 'nul', '/hooks/0/action/command'],
    [
      'a part of a variable',
      command('tell', '      variables: {HOOK_A: "x{{error}}"}\n'),
      'part_of_argument',
      '/hooks/0/action/variables/HOOK_A',
    ],
    [
      'another event',
      hook('    action: {type: log, message: m}\n').replace('tool.execute', 'tool.other'),
      'invalid',
      '',
    ],
    [
      'a message with other braces',
      hook('    action: {type: log, message: "{{ a b }}"}\n'),
      'unknown_placeholder',
      '/hooks/0/action/message',
    ],
  ])('%s', (_what, source, code, pointer) => {
    const [error] = errorsOf(source);
    if (code !== 'invalid') expect(error?.code).toBe(`lifecycle_hook.${code}`);
    if (pointer !== '') expect(error?.pointer).toBe(pointer);
    expect(error?.line).toBeGreaterThan(1);
  });

  it.each([
    'PATH',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'NODE_OPTIONS',
    'BASH_ENV',
    'ENV',
    'IFS',
    'HOME',
    'HOOK_a',
    'PYTHONPATH',
  ])('a variable %s', (name) => {
    expect(errorsOf(command('tell', `      variables: {${name}: x}\n`))[0]?.pointer).toContain('variables');
  });

  it.each([0, 31])('a time limit of %d seconds', (seconds) => {
    expect(errorsOf(command('tell', `      timeout_seconds: ${String(seconds)}\n`))).toMatchObject([
      { code: 'lifecycle_hook.out_of_range', pointer: '/hooks/0/action/timeout_seconds' },
    ]);
  });

  it('two hooks of one name', () => {
    const one = '{name: one, event: agent.error, action: {type: log, message: m}}';
    expect(errorsOf(`hooks:\n- ${one}\n- ${one}\n`)).toMatchObject([
      { code: 'lifecycle_hook.named_twice', pointer: '/hooks/1/name', line: 3 },
    ]);
  });

  it('T26: an alias bomb, duplicate keys, tabs and too many bytes', () => {
    for (const source of [
      'hooks: &a [*a]',
      'hooks: []\nhooks: []',
      'hooks:\n\t- a',
      'a: [',
      '__proto__: {}\nhooks: []',
    ]) {
      const read = readHooks(source);
      expect(read.ok ? '' : read.error.code).toMatch(/^lifecycle_hook\.(unreadable|invalid)$/);
    }
    expect(readHooks('#'.repeat(65_537))).toMatchObject({ ok: false, error: { code: 'lifecycle_hook.too_large' } });
  });
});
