/** The part of Node's WebAssembly that the engine uses; TypeScript declares it for browsers only. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  const Module: new (bytes: Uint8Array) => Module;
  interface Memory {
    readonly buffer: ArrayBuffer;
  }
  interface MemoryDescriptor {
    initial: number;
    maximum?: number;
  }
}
