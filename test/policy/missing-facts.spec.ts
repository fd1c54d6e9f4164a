import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '#lib/formats';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { loadWasmPolicy } from '../../libs/rules/policy/src/adapters/load-wasm-policy.js';

interface Fixture {
  readonly name: string;
  readonly entrypoint: string;
  readonly input: Record<string, unknown>;
  readonly expect: { readonly outcome: Outcome; readonly codes?: readonly string[] };
}

const STRICTNESS: Readonly<Record<Outcome, number>> = { allow: 0, require_approval: 1, deny: 2 };

const policies = join(packageRoot(), 'policies');
/** Single calls that ask people, too: a call without a plan has no later stage that would notice. */
const holdsBack = ({ entrypoint, expect: { outcome } }: Fixture): boolean =>
  outcome === 'deny' || (outcome === 'require_approval' && entrypoint === 'tool_call');
const areas = readdirSync(join(policies, 'fixtures')).flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(join(policies, 'fixtures', file), 'utf8')) as Record<string, Fixture[]>),
);
const heldBack = areas.map(([area, fixtures]) => [area, fixtures.filter(holdsBack)] as const);

const codesOf = (rego: string): string[] => [...rego.matchAll(/"code": "([^"]+)"/g)].map(([, code = '']) => code);

it('T23: each reason that policies give is a code of a case in policies/fixtures', () => {
  const given = readdirSync(policies, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.rego') && !path.endsWith('_test.rego'))
    .flatMap((path) => codesOf(readFileSync(join(policies, path), 'utf8')));
  const shown = new Set(areas.flatMap(([, fixtures]) => fixtures.flatMap(({ expect: { codes } }) => codes ?? [])));
  // An answer to an input without facts: the test of each entrypoint has one.
  shown.add('policy.default_deny');
  expect([...new Set(given)].filter((code) => !shown.has(code))).toEqual([]);
});

/** The input once without each of its members. The first item of an array stands for all. The document has optional members. */
function* withoutOneMember(value: unknown, path: readonly string[] = []): Generator<{ gone: string; value: unknown }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const [first, ...rest] = value as unknown[];
    for (const less of withoutOneMember(first, [...path, '0'])) yield { gone: less.gone, value: [less.value, ...rest] };
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const others = Object.entries(value).filter(([other]) => other !== name);
    yield { gone: [...path, name].join('/'), value: Object.fromEntries(others) };
    if (name === 'autonomy') continue;
    for (const less of withoutOneMember(member, [...path, name])) {
      yield { gone: less.gone, value: { ...value, [name]: less.value } };
    }
  }
}

// The schema lets none of these inputs through; the policy does not lean on that.
describe.each(heldBack)(
  'T23: an input that is refused or asks stays so with any fact missing, in the fixtures of %s',
  (_area, fixtures) => {
    const engine = loadWasmPolicy(new WebAssembly.Module(loadPolicyEngine().bundle.wasm), 1_024);

    it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
      '%s',
      (_name, { entrypoint, input, ...fixture }) => {
        const allowed = [...withoutOneMember(input)].filter(({ value }) => {
          const answer = engine.evaluate(value, `countersign/${entrypoint}/decision`) as [
            { result: { outcome: Outcome } },
          ];
          return STRICTNESS[answer[0].result.outcome] < STRICTNESS[fixture.expect.outcome];
        });
        expect(allowed.map(({ gone }) => gone)).toEqual([]);
      },
    );
  },
);
