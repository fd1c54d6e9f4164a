import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '#lib/database';
import type { Entrypoint } from '#lib/policy-inputs';
import { digestOf, fail } from '#lib/kernel';
import type { PolicyBundle } from '../application/policy-engine.js';

const path = z.string().regex(/^countersign\/[a-z_]+\/decision$/);

/** Each entrypoint with its path in the bundle. */
export const entrypointsSchema = z.strictObject({
  tool_call: path,
  plan: path,
  review: path,
  run_step: path,
  break_glass: path,
  autonomy: path,
  session_change: path,
  automation: path,
}) satisfies z.ZodType<Record<Entrypoint, string>>;

const manifestSchema = z.strictObject({
  revision: z.string(),
  wasm_digest: z.string(),
  entrypoints: entrypointsSchema,
  sources: z.array(z.string().regex(/^[a-z_]+\/[a-z_]+\.rego$/)),
});

/**
 * Reads the committed bundle and its Rego sources, and refuses a bundle that was compiled from other sources.
 *
 * @param folder by default the package's own `policies/`.
 * @throws {FailureError} `policy.bundle_mismatch`.
 */
export function loadPolicyBundle(folder = join(packageRoot(), 'policies')): PolicyBundle {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(folder, 'bundle', 'manifest.json'), 'utf8')));
  const wasm = readFileSync(join(folder, 'bundle', 'policy.wasm'));
  const sources = Object.fromEntries(
    manifest.sources.map((source) => [source, readFileSync(join(folder, ...source.split('/')), 'utf8')]),
  );
  const wasmDigest = `sha256:${createHash('sha256').update(wasm).digest('hex')}`;
  if (wasmDigest !== manifest.wasm_digest || digestOf('policy', sources) !== manifest.revision) {
    fail({
      kind: 'unavailable',
      code: 'policy.bundle_mismatch',
      message: 'The compiled policies differ from the Rego sources beside them.',
      action: 'Run `npm run policies`, which checks and compiles them, or restore the committed files.',
    });
  }
  return { revision: manifest.revision, wasmDigest, entrypoints: manifest.entrypoints, sources, wasm };
}
