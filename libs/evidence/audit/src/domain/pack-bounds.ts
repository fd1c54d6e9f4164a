import type { Json } from '#lib/canonical';
import { MAX_PACK_BYTES, MAX_PACK_VALUES } from '#lib/verifier';

/** The largest pack that a verifier reads (ADR 3). */
export interface PackBounds {
  readonly bytes: number;
  readonly values: number;
}

export const PACK_BOUNDS: PackBounds = { bytes: MAX_PACK_BYTES, values: MAX_PACK_VALUES };

/** Whether a pack with these parts is surely beyond the bounds. It stops there, so that its cost is bounded, too. */
export function areBeyond(parts: readonly Json[], { bytes, values }: PackBounds): boolean {
  const left: Json[] = [...parts];
  let [countedValues, countedChars] = [0, 0];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    countedValues += 1;
    if (typeof next === 'string') countedChars += next.length;
    else if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) left.push(member);
    if (countedValues > values || countedChars > bytes) return true;
  }
  return false;
}
