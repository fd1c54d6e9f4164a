import type { ToolCallView } from '#lib/api-schemas';
import { verdictOf } from './verdict.js';

const DIGEST = `sha256:${'a'.repeat(64)}`;
const ID = '0199c0de-0000-7000-8000-000000000001';
const ALLOWED: ToolCallView = {
  id: ID,
  session_id: ID,
  outcome: 'allowed',
  decided_as: 'auto_approved',
  allowed_until: '2026-11-20T22:00:00.000Z',
  request_id: null,
  expires_at: null,
  denial: null,
  reasons: [],
  obligations: {} as ToolCallView['obligations'],
  effective: { mode: 'full_auto', source: 'default' },
  decision_id: ID,
  bundle_revision: 'r',
  tool_version: 1,
  arguments_digest: DIGEST,
  shell: null,
  paths: null,
  errors: [],
  decided_at: '2026-11-20T21:59:00.000Z',
  answered_by: null,
  execution: null,
};
const MINE = { outcome: 'executing', answered_by: 'agent', grant: 'a.b.c' } as const;
/** A verdict with the members that the hook reads; the cast stands for the others. */
const shell = (judgedFor: string, tier: number) =>
  ({
    shell: judgedFor,
    tier,
    parts: [
      { tier: 1, reasons: [{ code: 'shell.read_only', message: 'ls lists.' }] },
      { tier: 3, reasons: [{ code: 'shell.deletes', message: 'rm -rf deletes a whole tree.' }] },
    ],
  }) as unknown as ToolCallView['shell'];

const verdict = (more: Partial<ToolCallView>, said: 'bash' | 'zsh' | 'unknown' = 'bash') =>
  verdictOf({ ...ALLOWED, ...more }, { argumentsDigest: DIGEST, shell: said });

describe('an answer of Countersign', () => {
  it.each([
    ['advice about a tool without an executor', {}, false],
    ['a call with its grant', MINE, true],
    ['a line that was judged for its own shell', { shell: shell('bash', 1) }, false],
    ['a line that was judged for every shell', { shell: shell('unknown', 1) }, false],
  ] as const)('allows %s', (_what, more, reported) => {
    expect(verdict(more)).toMatchObject({ allow: true, reported });
  });

  it('names the reason of an allow', () => {
    const said = (decided_as: ToolCallView['decided_as']) => (verdict({ decided_as }) as { message: string }).message;
    expect(said('auto_approved')).toContain('its policies ask nobody');
    expect(said('approved')).toContain('a person approved this call');
    expect(said('trusted')).toContain('calls like this one');
  });

  it.each([
    ['an executor makes', { answered_by: 'executor' }, 'hook.executed_elsewhere'],
    ['an executor is making', { outcome: 'executing', answered_by: 'executor' }, 'hook.executed_elsewhere'],
    ['was made', { outcome: 'succeeded', answered_by: 'agent' }, 'hook.call_over'],
    ['failed', { outcome: 'failed', answered_by: 'agent' }, 'hook.call_over'],
    ['has no known outcome', { outcome: 'unknown', answered_by: 'agent' }, 'hook.call_over'],
    ['is too old', { outcome: 'expired' }, 'hook.call_over'],
    ['is pending', { outcome: 'pending' }, 'hook.call_over'],
    ['has no grant', { ...MINE, grant: undefined }, 'hook.call_over'],
    ['has other arguments', { arguments_digest: `sha256:${'b'.repeat(64)}` }, 'hook.other_arguments'],
    ['has no arguments', { arguments_digest: null }, 'hook.other_arguments'],
    ['was judged for another shell', { shell: shell('zsh', 1) }, 'hook.other_shell'],
  ] as const)('T56: denies a call that %s', (_what, more, code) => {
    expect(verdict(more as Partial<ToolCallView>)).toMatchObject({ allow: false, refusal: { code } });
  });

  it('denies a line of bash if the shell of the host is not known', () => {
    expect(verdict({ shell: shell('bash', 1) }, 'unknown')).toMatchObject({ refusal: { code: 'hook.other_shell' } });
  });

  it.each([
    [
      'a person',
      { denial: { code: 'tool_call.rejected', message: 'A person rejected it.' } },
      { code: 'tool_call.rejected', message: 'A person rejected it.' },
    ],
    [
      'policy, with its reasons',
      { reasons: [{ code: 'plan.required', message: 'It needs a plan.', rule: 'r' }] },
      { code: 'plan.required', message: 'It needs a plan.' },
    ],
    [
      'its line, with the parts that are Tier 3',
      { reasons: [{ code: 'shell.denied', message: 'It is Tier 3', rule: 'r' }], shell: shell('bash', 3) },
      { code: 'shell.denied', message: 'It is Tier 3. rm -rf deletes a whole tree.' },
    ],
    [
      'its arguments',
      { errors: [{ pointer: '/arguments/path', code: 'x', message: 'is missing' }] },
      { code: 'policy.denied', message: '/arguments/path: is missing.' },
    ],
    ['nothing that is said', {}, { code: 'policy.denied', message: 'Policy denies this call.' }],
  ])('says why it is denied by %s', (_what, more, refusal) => {
    expect(verdict({ outcome: 'denied', ...more })).toEqual({ allow: false, refusal });
  });
});
