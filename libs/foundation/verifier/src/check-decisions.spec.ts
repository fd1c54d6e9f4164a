import type { Json, JsonObject } from '#lib/canonical';
import { digestOf } from '#lib/kernel';
import { noDecision, loadPolicyEngine } from '#lib/policy';
import { checkDecisions } from './check-decisions.js';
import type { Pack, PackDocument } from './pack-shape.js';
import { replayDecisions, type Replay } from './replay-decisions.js';
import { Failed } from './verification-failure.js';

const engine = loadPolicyEngine();
const { bundle } = engine;
const input = {
  now: 1,
  tenant_id: 't',
  autonomy: null,
  tool: {
    name: 'deploy',
    version: 1,
    risk: 'state_change_prod',
    idempotent: true,
    scope: 'asset',
    effect: 'modify',
    surface: 'asset',
    requires_plan: true,
    requires_hitl: 'always',
    simulated_by: null,
    simulation: 'not_applicable',
    canary: true,
  },
  environment: { id: 'e', name: 'production', production: true, version: 1 },
} as const;
const { decision: result } = engine.evaluate('autonomy', input);

const policy: PackDocument = { kind: 'policy', id: bundle.revision, document: { ...bundle.sources } };
const compiled = (wasm: Uint8Array): PackDocument => ({
  kind: 'policy-wasm',
  id: bundle.revision,
  document: { entrypoints: { ...bundle.entrypoints }, wasm_base64: Buffer.from(wasm).toString('base64') },
});
const decided = (id: string, changes: JsonObject = {}, held: Json = input): PackDocument[] => [
  {
    kind: 'decision',
    id,
    document: {
      entrypoint: 'autonomy',
      bundle_revision: bundle.revision,
      wasm_digest: bundle.wasmDigest,
      input_digest: digestOf('policy-input', input),
      decided_at: 1,
      result,
      ...changes,
    },
  },
  { kind: 'policy-input', id, document: held },
];

const packOf = (...documents: readonly PackDocument[]): Pack => ({
  tenantId: 't',
  subject: { type: 'plan', id: 'p' },
  checkpoints: [],
  consistency: [],
  entries: [],
  documents,
});
const inline: Replay = (job) => Promise.resolve(replayDecisions(job));

async function refusalOf(pack: Pack, replay = inline): Promise<{ readonly code: string; readonly message: string }> {
  const outcome: unknown = await checkDecisions(pack, replay).catch((error: unknown) => error);
  if (!(outcome instanceof Failed)) throw new Error('it was not refused', { cause: outcome });
  return outcome.failure;
}

describe('the check of decisions', () => {
  it('counts the decisions that come out as recorded', async () => {
    const pack = packOf(policy, compiled(bundle.wasm), ...decided('d-1'), ...decided('d-2'));
    expect(await checkDecisions(pack, inline)).toEqual({ again: 2, masked: 0, maskedAlike: 0, unanswered: 0 });
  });

  it('names the first decision that does not', async () => {
    const allowed = { ...result, outcome: 'allow' };
    const pack = packOf(policy, compiled(bundle.wasm), ...decided('d-1'), ...decided('d-2', { result: allowed }));
    expect(await refusalOf(pack)).toMatchObject({
      code: 'decision.not_reproduced',
      message: 'The decision d-2 does not come out as it was recorded when it is taken again.',
      pointer: '/documents/4',
    });
  });

  it('asks only the module that the decision names by its digest', async () => {
    const other = Uint8Array.from(bundle.wasm);
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1;
    const refusal = await refusalOf(packOf(policy, compiled(other), ...decided('d-1')));
    expect(refusal.code).toBe('decision.other_policy');
    const unsaid = packOf(policy, compiled(bundle.wasm), ...decided('d-1', { wasm_digest: null }));
    expect((await refusalOf(unsaid)).code).toBe('decision.other_policy');
  });

  it.each([
    ['sources', [compiled(bundle.wasm), ...decided('d-1')]],
    ['compiled policies', [policy, ...decided('d-1')]],
    ['policies of that revision', [policy, compiled(bundle.wasm), ...decided('d-1', { bundle_revision: 'another' })]],
  ])('is refused without the %s', async (_what, documents) => {
    expect((await refusalOf(packOf(...documents))).code).toBe('decision.policy_missing');
  });

  it('counts a masked input apart, whether or not it comes out alike', async () => {
    const masked = { masked_input_digest: digestOf('policy-input', { ...input, tenant_id: '[masked]' }) };
    const pack = packOf(
      policy,
      compiled(bundle.wasm),
      ...decided('d-1'),
      ...decided('d-2', masked, { ...input, tenant_id: '[masked]' }),
      ...decided('d-3', masked, { ...input, tool: '[masked]' }),
      ...decided('d-4', masked, { ...input, tool: '[masked]', now: 2 }),
    );
    expect(await checkDecisions(pack, inline)).toEqual({ again: 1, masked: 3, maskedAlike: 1, unanswered: 0 });
  });

  it('asks nobody again for a deny that no policy gave, and takes nothing but a deny for one', async () => {
    const denied = noDecision('policy.input_too_large');
    const never: Replay = () => Promise.reject(new Error('asked'));
    const pack = packOf(...decided('d-1', { result: denied }, null));
    expect(await checkDecisions(pack, never)).toEqual({ again: 0, masked: 0, maskedAlike: 0, unanswered: 1 });
    const allowed = { ...denied, outcome: 'allow' };
    const disguised = packOf(policy, compiled(bundle.wasm), ...decided('d-1', { result: allowed }));
    expect((await refusalOf(disguised)).code).toBe('decision.not_reproduced');
  });

  it('takes only a deny of the server’s own rule for one that no policy gave', async () => {
    const denied = noDecision('policy.input_too_large');
    const [own] = denied.reasons;
    if (own === undefined) throw new Error('the deny has no reason');
    for (const reasons of [[{ ...own, rule: 'countersign.other' }], [own, own], []]) {
      const pack = packOf(
        policy,
        compiled(bundle.wasm),
        ...decided('d-1', { result: { ...denied, reasons } as never }),
      );
      expect((await refusalOf(pack)).code).toBe('decision.not_reproduced');
    }
  });

  it.each<[what: string, documents: PackDocument[]]>([
    [
      'compiled policies that are no base64',
      [{ ...compiled(bundle.wasm), document: { wasm_base64: '?' } }, ...decided('d-1')],
    ],
    [
      'compiled policies that are no text',
      [{ ...compiled(bundle.wasm), document: { wasm_base64: 1 } }, ...decided('d-1')],
    ],
    ['a digest that is no text', [compiled(bundle.wasm), ...decided('d-1', { wasm_digest: 1 })]],
  ])('is refused for %s', async (_what, documents) => {
    expect((await refusalOf(packOf(policy, ...documents))).code).toBe('decision.other_policy');
  });

  it('hands each module over once, and the path and the input of each decision', async () => {
    const jobs: Parameters<Replay>[0][] = [];
    const watched: Replay = (job) => {
      jobs.push(job);
      return Promise.resolve(job.decisions.map(() => true));
    };
    const documents = [policy, compiled(bundle.wasm), ...decided('d-1'), ...decided('d-2', { entrypoint: 1 })];
    await checkDecisions(packOf(...documents), watched);
    expect(jobs.map(({ modules }) => modules.length)).toEqual([1]);
    expect(jobs[0]?.decisions.map(({ path, module }) => [path, module])).toEqual([
      ['countersign/autonomy/decision', 0],
      ['countersign//decision', 0],
    ]);
  });

  it('is refused if the time was up', async () => {
    const pack = packOf(policy, compiled(bundle.wasm), ...decided('d-1'));
    expect((await refusalOf(pack, () => Promise.resolve(null))).code).toBe('decision.replay_stopped');
  });
});
