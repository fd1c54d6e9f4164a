import fc from 'fast-check';
import { type Entrypoint, POLICY_INPUTS } from '#lib/policy-inputs';
import { hasInputShape } from '../../libs/rules/policy/src/adapters/input-shape.js';
import { policyInputs } from '../arbitraries/policy-inputs.js';
import { timesInputs } from '../arbitraries/times-inputs.js';

const entrypoints = Object.keys(POLICY_INPUTS) as Entrypoint[];

/** Values that no member of an input may have, or not every one. */
const strange = fc.constantFrom<unknown>(
  undefined,
  null,
  -1,
  0.5,
  Number.NaN,
  2 ** 53,
  '',
  'x@0',
  'x'.repeat(600),
  '\u{1f600}'.repeat(150),
  true,
  [],
  {},
  [null],
  { mode: 'full_auto' },
);

/** The value with one member, chosen by `path`, replaced; or with one more. */
function spoilt(value: unknown, path: readonly number[], replacement: unknown, extra: boolean): unknown {
  if (typeof value !== 'object' || value === null || path.length === 0) return replacement;
  const [at = 0, ...rest] = path;
  const names = Object.keys(value);
  if (extra && rest.length === 0 && !Array.isArray(value)) return { ...value, unexpected: replacement };
  const name = names[at % Math.max(1, names.length)];
  if (name === undefined) return replacement;
  const member = spoilt((value as Record<string, unknown>)[name], rest, replacement, extra);
  if (Array.isArray(value)) return (value as unknown[]).map((item, index) => (index === Number(name) ? member : item));
  return { ...value, [name]: member };
}

describe.each(entrypoints)('the shape of an input of %s', (entrypoint) => {
  const input: fc.Arbitrary<unknown> = policyInputs[entrypoint];

  it('fits every input that the schema returns', () => {
    fc.assert(fc.property(input, (value) => hasInputShape[entrypoint](POLICY_INPUTS[entrypoint].parse(value))));
  });

  it('fits no input that the schema refuses or would change', () => {
    const path = fc.array(fc.nat(50), { maxLength: 8 });
    fc.assert(
      fc.property(input, path, strange, fc.boolean(), (value, at, replacement, extra) => {
        const candidate = spoilt(value, at, replacement, extra);
        if (!hasInputShape[entrypoint](candidate)) return;
        const parsed = POLICY_INPUTS[entrypoint].safeParse(candidate);
        expect(parsed.error).toBeUndefined();
        expect(JSON.stringify(parsed.data)).toHaveLength(JSON.stringify(candidate).length);
        expect(parsed.data).toEqual(candidate);
      }),
      { numRuns: timesInputs(500) },
    );
  });
});
