import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import type { Decision } from '#lib/formats';
import type { Entrypoint } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { someOf, timesInputs } from '../../../../test/arbitraries/times-inputs.js';
import { replayDecisions, type ReplayedDecision } from './replay-decisions.js';

interface Fixture {
  readonly name: string;
  readonly entrypoint: Entrypoint;
  readonly input: Json;
}

const policies = join(packageRoot(), 'policies');
const engine = loadPolicyEngine();
const { bundle } = engine;
const fixtures = readdirSync(join(policies, 'fixtures')).flatMap((file) =>
  Object.values(JSON.parse(readFileSync(join(policies, 'fixtures', file), 'utf8')) as Record<string, Fixture[]>).flat(),
);

interface Recorded extends Omit<ReplayedDecision, 'result'> {
  readonly result: Decision;
}

/** As the server decides and records it. */
function recorded({ entrypoint, input }: Fixture): Recorded {
  const { decision, inputText } = engine.evaluate(entrypoint, input as never);
  return {
    module: 0,
    path: `countersign/${entrypoint}/decision`,
    input: JSON.parse(inputText) as Json,
    result: decision,
    masked: false,
  };
}

const replay = (decision: ReplayedDecision, wasm: Uint8Array = bundle.wasm): boolean | undefined =>
  replayDecisions({ modules: [wasm], decisions: [decision] })[0];

const decisions = [...someOf(fixtures)].map(([, fixture]) => recorded(fixture));
const [first] = decisions;
if (first === undefined) throw new Error('there are no fixtures');
const [reason] = first.result.reasons;

describe('the replay of decisions', () => {
  it('comes to the decision of the server, for every fixture', () => {
    const alike = replayDecisions({ modules: [bundle.wasm], decisions });
    expect(decisions.filter((_decision, index) => alike[index] !== true)).toEqual([]);
    expect(alike.length).toBeGreaterThan(timesInputs(50));
  });

  it.each<[string, Partial<Decision>]>([
    ['another outcome', { outcome: first.result.outcome === 'deny' ? 'allow' : 'deny' }],
    ['another code', { reasons: [{ code: 'a.b', message: reason?.message ?? '', rule: reason?.rule ?? '' }] }],
    ['another message', { reasons: first.result.reasons.map((one) => ({ ...one, message: 'because' })) }],
    ['a reason less', { reasons: [] }],
    ['other obligations', { obligations: { ...first.result.obligations, mfa: !first.result.obligations.mfa } }],
    ['another mode', { effective: { mode: first.result.effective.mode, source: 'elsewhere' } }],
  ])('tells %s', (_what, changed) => {
    expect(replay({ ...first, result: { ...first.result, ...changed } })).toBe(false);
  });

  it('compares no words if the input was masked, and everything else', () => {
    const reasons = first.result.reasons.map((one) => ({ ...one, message: 'with a secret in it' }));
    expect(replay({ ...first, masked: true, result: { ...first.result, reasons } })).toBe(true);
    const codes = first.result.reasons.map((one) => ({ ...one, code: 'a.b' }));
    expect(replay({ ...first, masked: true, result: { ...first.result, reasons: codes } })).toBe(false);
    const obligations = { ...first.result.obligations, valid_minutes: 7 };
    expect(replay({ ...first, masked: true, result: { ...first.result, obligations } })).toBe(false);
  });

  it('takes reasons in any order', () => {
    const several = decisions.find(({ result }) => result.reasons.length > 1);
    if (several === undefined) throw new Error('each fixture has one reason');
    const reasons = several.result.reasons.toReversed();
    expect(replay({ ...several, result: { ...several.result, reasons } })).toBe(true);
  });

  it('compiles a module of four megabytes, and no longer one', () => {
    const padded = (length: number): Uint8Array => {
      const section = new Uint8Array(length - bundle.wasm.length);
      const size = section.length - 6;
      // A custom section without a name; its size has five bytes, as long as one may be.
      section.set([0, ...[0, 7, 14, 21].map((bits) => ((size >> bits) & 0x7f) | 0x80), 0]);
      return Uint8Array.from([...bundle.wasm, ...section]);
    };
    const most = 4 * 1024 * 1024;
    expect([replay(first, padded(most)), replay(first, padded(most + 1))]).toEqual([true, false]);
  });

  it('evaluates an input of half a megabyte, and no longer one', () => {
    const most = 512 * 1024;
    const padded = (length: number): ReplayedDecision => {
      const input = (padding: string): Json => ({ ...(first.input as JsonObject), padding });
      return { ...first, input: input('x'.repeat(length - canonicalJson(input('')).length)) };
    };
    expect([replay(padded(most)), replay(padded(most + 1))]).toEqual([true, false]);
  });

  it.each<[string, ReplayedDecision]>([
    ['no such entrypoint', { ...first, path: 'countersign/none/decision' }],
    ['no such module', { ...first, module: 1 }],
    ['a result that is no decision', { ...first, result: null }],
    ['a result without obligations', { ...first, result: { outcome: 'allow' } }],
    ['an input that is larger than any', { ...first, input: { padding: 'x'.repeat(600_000) } }],
  ])('%s: not the same, and no error', (_what, decision) => {
    expect(replay(decision)).toBe(false);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', Uint8Array.of()],
    ['no module', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9)],
    ['an empty module', Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)],
    ['a module that is cut off', bundle.wasm.subarray(0, 1_000)],
    ['more than is compiled', new Uint8Array(5 * 1024 * 1024)],
  ])('%s takes no decision', (_what, wasm) => {
    // opa-wasm reports here a missing part of a module.
    const said = jest.spyOn(console, 'error').mockReturnValue();
    expect(replay(first, wasm)).toBe(false);
    said.mockRestore();
  });
});
