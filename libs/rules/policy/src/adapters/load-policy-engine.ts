import { loadPolicyBundle } from './load-policy-bundle.js';
import { OpaWasmPolicyEngine } from './opa-wasm-policy-engine.js';

/**
 * Compiles the policies of a folder.
 *
 * @param folder by default the package's own `policies/`.
 * @throws {FailureError} `policy.bundle_mismatch`.
 */
export const loadPolicyEngine = (folder?: string): OpaWasmPolicyEngine =>
  new OpaWasmPolicyEngine(loadPolicyBundle(folder));
