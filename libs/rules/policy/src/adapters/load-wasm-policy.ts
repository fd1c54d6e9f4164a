import * as opaWasm from '@open-policy-agent/opa-wasm';
import type { LoadedPolicy } from '@open-policy-agent/opa-wasm';

// Its types name exports that its ES module has in the default export only; required as CommonJS it has both.
const { loadPolicySync } = (opaWasm as unknown as { readonly default: Pick<typeof opaWasm, 'loadPolicySync'> }).default;

/** One instance of a compiled module, with memory of its own that can't grow beyond `maximumPages` of 64 KiB. */
export function loadWasmPolicy(module: WebAssembly.Module, maximumPages: number): LoadedPolicy {
  return loadPolicySync(module, { initial: 16, maximum: maximumPages });
}
