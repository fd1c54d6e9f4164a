import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { FailureError } from '#lib/kernel';
import { loadPolicyBundle } from './load-policy-bundle.js';

describe('the loader of a policy bundle', () => {
  const committed = join(packageRoot(), 'policies');
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'countersign-bundle-'));
    cpSync(committed, copy, { recursive: true });
  });
  afterEach(() => {
    rmSync(copy, { recursive: true });
  });

  const codeOf = (folder: string): string => {
    try {
      return loadPolicyBundle(folder).revision;
    } catch (error) {
      return error instanceof FailureError ? error.failure.code : String(error);
    }
  };

  it('reads the committed bundle with its sources, and without their tests', () => {
    const { revision, sources } = loadPolicyBundle(copy);
    expect(revision).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(Object.keys(sources)).toContain('plan/plan.rego');
    expect(Object.keys(sources).filter((path) => path.endsWith('_test.rego'))).toEqual([]);
  });

  it('refuses other sources than the compiled ones', () => {
    writeFileSync(join(copy, 'halt', 'halt.rego'), 'package countersign.halt\n');
    expect(codeOf(copy)).toBe('policy.bundle_mismatch');
  });

  it('refuses another module than the manifest names', () => {
    writeFileSync(join(copy, 'bundle', 'policy.wasm'), Buffer.from('0061736d01000000', 'hex'));
    expect(codeOf(copy)).toBe('policy.bundle_mismatch');
  });
});
