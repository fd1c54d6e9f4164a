const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;

/**
 * Whether a module declares a memory of its own (WebAssembly core specification, section 5.5.8). Also true for bytes that are
 * no module. The verifier limits the memory that it imports into a module. It could not limit a memory of the module's own.
 */
export function hasOwnMemory(module: Uint8Array): boolean {
  for (let at = HEADER_BYTES; at < module.length;) {
    const id = module[at];
    const size = unsignedAt(module, at + 1);
    if (id === MEMORY_SECTION || size === null) return true;
    at = size.end + size.value;
  }
  return module.length < HEADER_BYTES;
}

/** An unsigned 32-bit LEB128 number, and where it ends. */
function unsignedAt(bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return null;
}
