import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadPolicyEngine } from '#lib/policy';
import type { ReplayJob } from '#lib/verifier';
import { compiledPackage } from '../../../test/support/compiled-package.js';
import { replayInThread } from './replay-in-thread.js';

const { bundle } = loadPolicyEngine();
const program = pathToFileURL(join(compiledPackage(), 'dist', 'programs', 'cli', 'replay-thread.js'));

/** A module with the start function `loop br 0 end`. */
const ENDLESS = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[8, 1, 0],
  ...[10, 9, 1, 7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b],
);

const jobOf = (module: Uint8Array): ReplayJob => ({
  modules: [module],
  decisions: [{ module: 0, path: 'countersign/autonomy/decision', input: {}, result: DEFAULT_DENY, masked: true }],
});

const DEFAULT_DENY = {
  outcome: 'deny',
  reasons: [{ code: 'policy.default_deny', message: '', rule: '' }],
  obligations: { approvals: [], mfa: false, phases: 'canary', audit_level: 'full_with_evidence', valid_minutes: 1 },
  effective: { mode: 'plan_only', source: 'default' },
};

describe('the replay in a thread', () => {
  it('answers what the policies of the pack answer', async () => {
    expect(await replayInThread(program)(jobOf(bundle.wasm))).toEqual([true]);
  });

  it('ends policies that never do', async () => {
    expect(new WebAssembly.Module(ENDLESS)).toBeInstanceOf(WebAssembly.Module);
    expect(await replayInThread(program, 300)(jobOf(ENDLESS))).toBeNull();
  });

  it('has no answer if the thread cannot even begin', async () => {
    expect(await replayInThread(new URL('file:///nowhere.js'))(jobOf(bundle.wasm))).toBeNull();
  });
});
