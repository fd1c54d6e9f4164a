import type { Json, JsonObject } from '#lib/canonical';
import { checkLines } from './check-lines.js';
import { failureOf, packOf } from './fake-pack.js';

const DIGEST = 'sha256:plan';
const WRITE = { tier: 2, class: 'WRITE' };
const READ = { tier: 1, class: 'READ_ONLY' };

/** A plan, or its facts in an input, of these calls. */
const planOf = (...calls: readonly JsonObject[]): JsonObject => ({
  digest: DIGEST,
  phases: [{ batches: [{ calls: [] }] }, { batches: [{ calls: [] }, { calls: [...calls] }] }],
});
const PLAN = planOf(
  { seq: 1, invocation: { shell: WRITE }, compensate_with: { shell: READ } },
  { seq: 2, invocation: { paths: WRITE }, compensate_with: { paths: READ } },
  { seq: 3, invocation: {}, compensate_with: null },
);
const none = { shell: null, compensation_shell: null, paths: null, compensation_paths: null };
const TOLD: readonly JsonObject[] = [
  { ...none, seq: 1, shell: WRITE, compensation_shell: READ },
  { ...none, seq: 2, paths: WRITE, compensation_paths: READ },
  { ...none, seq: 3 },
];

/** The refusal of a pack in which a decision was told these calls, of the plan with this digest. */
const refusalOf = (calls: readonly JsonObject[], more: { readonly digest?: string; readonly kind?: string } = {}) => {
  const { digest = DIGEST, kind = 'policy-input' } = more;
  const document: Json = { plan: { ...planOf(...calls), digest } };
  return failureOf((refuse) => {
    checkLines(packOf([], { documents: [{ kind, id: 'decision-1', document }] }), PLAN, DIGEST, refuse);
  });
};
/** The same calls, with other verdicts on one. */
const withCall = (seq: number, change: JsonObject): readonly JsonObject[] =>
  TOLD.map((call) => (call.seq === seq ? { ...call, ...change } : call));

describe('the verdicts that a decision was told', () => {
  it('are those of the plan', () => {
    expect(refusalOf(TOLD)).toBeNull();
    expect(refusalOf([])).toBeNull();
  });

  it.each<[string, readonly JsonObject[]]>([
    ['a milder tier of a line', withCall(1, { shell: { tier: 1, class: 'WRITE' } })],
    ['a milder class of a line', withCall(1, { shell: { tier: 2, class: 'READ_ONLY' } })],
    ['no verdict on a line', withCall(1, { shell: null })],
    ['a class alone', withCall(1, { shell: { class: 'WRITE' } })],
    ['a tier alone', withCall(1, { shell: { tier: 2 } })],
    ['another verdict on the line that undoes it', withCall(1, { compensation_shell: WRITE })],
    ['no verdict on the line that undoes it', withCall(1, { compensation_shell: null })],
    ['paths of a call that the plan gives none', withCall(1, { paths: WRITE })],
    ['paths of a call that undoes it, which the plan gives none', withCall(1, { compensation_paths: WRITE })],
    ['other paths', withCall(2, { paths: READ })],
    ['other paths of the call that undoes it', withCall(2, { compensation_paths: null })],
    ['a verdict on a call without a line', withCall(3, { shell: READ })],
    ['a tier on a call without a line', withCall(3, { shell: { tier: 1 } })],
    ['a class on a call without a line', withCall(3, { shell: { class: 'READ_ONLY' } })],
    ['a verdict on a call that the plan lacks', [...TOLD, { ...none, seq: 4, paths: WRITE }]],
  ])('T52, T53: are refused with %s', (_what, calls) => {
    expect(refusalOf(calls)).toMatchObject({
      code: 'story.other_verdict',
      message: 'The decision decision-1 was told another verdict on a command line, or on paths, than the plan holds.',
      pointer: '/documents/0',
    });
  });

  it('may name a call without any that the plan lacks, which other checks refuse', () => {
    expect(refusalOf([...TOLD, { ...none, seq: 4 }])).toBeNull();
  });

  it('are compared in inputs about this plan alone', () => {
    const milder = withCall(1, { shell: READ });
    expect(refusalOf(milder, { digest: 'sha256:other' })).toBeNull();
    expect(refusalOf(milder, { kind: 'simulation' })).toBeNull();
  });
});
