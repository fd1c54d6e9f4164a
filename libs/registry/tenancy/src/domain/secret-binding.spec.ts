import fc from 'fast-check';
import { checkBinding, isBoundTo, loosenedBinding, type SecretBinding, type SecretUse } from './secret-binding.js';

const binding = (changes: Partial<SecretBinding> = {}): SecretBinding => ({
  purpose: 'tool_arguments',
  executors: ['production/fleet'],
  environments: [],
  tools: ['restart'],
  ...changes,
});
const use = { purpose: 'tool_arguments', environment: 'production', executor: 'fleet', tool: 'restart' } as const;

describe('where a secret may be sent', () => {
  it.each<[string, boolean, SecretBinding | null, SecretUse]>([
    ['nowhere without a binding', false, null, use],
    ['to what it names', true, binding(), use],
    [
      'to every executor of an environment that it names',
      true,
      binding({ executors: [], environments: ['production'] }),
      use,
    ],
    ['to no other tool', false, binding(), { ...use, tool: 'stop' }],
    ['to no other executor', false, binding(), { ...use, executor: 'other' }],
    ['to no other environment', false, binding(), { ...use, environment: 'development' }],
    [
      'to no executor as its token',
      false,
      binding(),
      { purpose: 'executor_token', environment: 'production', executor: 'fleet' },
    ],
    [
      'as a token to the executor',
      true,
      binding({ purpose: 'executor_token', tools: [] }),
      { purpose: 'executor_token', environment: 'production', executor: 'fleet' },
    ],
    ['as a token, in no arguments', false, binding({ purpose: 'executor_token' }), use],
    ['to issuers', true, binding({ purpose: 'sign_in', executors: [], tools: [] }), { purpose: 'sign_in' }],
    ['to issuers, in no arguments', false, binding({ purpose: 'sign_in' }), use],
    [
      'to issuers, and not with pages',
      false,
      binding({ purpose: 'sign_in', executors: [], tools: [] }),
      { purpose: 'incidents' },
    ],
  ])('%s: %s', (_, allowed, bound, wanted) => {
    expect(isBoundTo(bound, wanted)).toBe(allowed);
  });
});

describe('a binding that becomes another', () => {
  it.each<[string, readonly string[], SecretBinding | null, SecretBinding | null]>([
    ['nothing to something', ['calls of restart may get it, at production/fleet'], null, binding()],
    ['something to nothing', [], binding(), null],
    ['the same', [], binding(), binding()],
    [
      'another purpose',
      ['issuers may get it as a client secret'],
      binding(),
      binding({ purpose: 'sign_in', executors: [], tools: [] }),
    ],
    [
      'a further executor',
      ['it may be sent to the executor staging/fleet'],
      binding(),
      binding({ executors: ['production/fleet', 'staging/fleet'] }),
    ],
    [
      'a whole environment',
      ['it may be sent to every executor of production'],
      binding(),
      binding({ environments: ['production'] }),
    ],
    ['an executor instead of its environment', [], binding({ executors: [], environments: ['production'] }), binding()],
    ['a further tool for another', ['calls of the tool stop may get it'], binding(), binding({ tools: ['stop'] })],
  ])('%s', (_, loosens, before, after) => {
    expect(loosenedBinding(before, after)).toEqual(loosens);
  });

  it('loosens whenever it lets anything through that was stopped before', () => {
    const names = (from: readonly string[]) => fc.uniqueArray(fc.constantFrom(...from));
    const some = fc.option(
      fc.record({
        purpose: fc.constantFrom('tool_arguments' as const, 'executor_token' as const, 'sign_in' as const),
        executors: names(['production/fleet', 'production/other', 'staging/fleet']),
        environments: names(['production', 'staging']),
        tools: names(['restart', 'stop']),
      }),
    );
    const uses = ['production', 'staging'].flatMap((environment) =>
      ['fleet', 'other'].flatMap((executor): SecretUse[] => [
        { purpose: 'sign_in' },
        { purpose: 'executor_token', environment, executor },
        ...['restart', 'stop'].map((tool) => ({ purpose: 'tool_arguments', environment, executor, tool }) as const),
      ]),
    );
    fc.assert(
      fc.property(some, some, (before, after) => {
        const further = uses.some((each) => isBoundTo(after, each) && !isBoundTo(before, each));
        return !further || loosenedBinding(before, after).length > 0;
      }),
    );
  });
});

describe('a binding as it is sent', () => {
  it.each<[string, SecretBinding]>([
    ['executors', binding({ executors: [] })],
    ['tools', binding({ tools: [] })],
    ['tools', binding({ purpose: 'executor_token' })],
    ['executors', binding({ purpose: 'sign_in', tools: [] })],
    ['tools', binding({ purpose: 'incidents', executors: [] })],
  ])('is refused at %s', (member, wanted) => {
    expect(checkBinding(wanted)).toMatchObject({
      ok: false,
      error: [{ pointer: `/binding/${member}`, code: 'secret.invalid_binding' }],
    });
  });

  it('is kept sorted and without doubles', () => {
    const doubled = binding({ tools: ['stop', 'restart', 'stop'] });
    expect(checkBinding(doubled)).toEqual({ ok: true, value: binding({ tools: ['restart', 'stop'] }) });
  });
});
