import fc, { type Arbitrary } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;

const anyCharacter: Arbitrary<string> = fc
  .nat({ max: 0x10ffff - SURROGATES.count })
  .map((ordinal) => String.fromCodePoint(ordinal < SURROGATES.first ? ordinal : ordinal + SURROGATES.count));

/**
 * Text of any characters of Unicode, as fast-check's unit `binary` makes it. That one first builds a table of all 1.1 million
 * characters, to shrink texts that it did not make. The table costs a second and 60 MB in each worker.
 */
export const anyText = (limits: { readonly minLength?: number; readonly maxLength?: number } = {}): Arbitrary<string> =>
  fc.string({ ...limits, unit: anyCharacter });
