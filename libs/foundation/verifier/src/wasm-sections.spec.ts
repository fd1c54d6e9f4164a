import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { hasOwnMemory } from './wasm-sections.js';

/** A module of these sections: the identifier and the contents of each. */
const moduleOf = (...sections: readonly (readonly [id: number, ...contents: number[]])[]): Uint8Array =>
  Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flatMap(([id, ...rest]) => [id, rest.length, ...rest]));

const CUSTOM = [0, 1, 0x61] as const;
/** One memory of a page that may grow to four gigabytes. */
const MEMORY = [5, 1, 1, 1, 0x80, 0x80, 0x04] as const;

describe('the memory of a Wasm module', () => {
  it('finds a memory wherever it stands', () => {
    expect(hasOwnMemory(moduleOf(MEMORY))).toBe(true);
    expect(hasOwnMemory(moduleOf(CUSTOM, MEMORY))).toBe(true);
  });

  it('finds one behind a section of 128 bytes, whose size takes two', () => {
    // Read as the size of the next section, the first two bytes of the contents would lead past the memory.
    const contents = [0x86, 0x01, ...Array<number>(126).fill(0)];
    expect(hasOwnMemory(Uint8Array.of(...moduleOf(), 0, 0x80, 0x01, ...contents, 5, 6, ...MEMORY.slice(1)))).toBe(true);
  });

  it('finds none in a module of opa, nor in a module without one', () => {
    expect(hasOwnMemory(readFileSync(join(packageRoot(), 'policies', 'bundle', 'policy.wasm')))).toBe(false);
    expect(hasOwnMemory(moduleOf(CUSTOM))).toBe(false);
    expect(hasOwnMemory(moduleOf())).toBe(false);
  });

  it('takes an unreadable module for the worst', () => {
    expect(hasOwnMemory(Uint8Array.of(0, 0x61))).toBe(true);
    expect(hasOwnMemory(Uint8Array.of(...moduleOf(), 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01))).toBe(true);
    expect(hasOwnMemory(Uint8Array.of(...moduleOf(), 1))).toBe(true);
  });
});
