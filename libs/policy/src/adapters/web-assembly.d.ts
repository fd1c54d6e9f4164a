/** The part of Node's WebAssembly that the engine uses; TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface MemoryDescriptor {
    initial: number;
    maximum?: number;
  }
}
