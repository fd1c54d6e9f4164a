/** The cosine of the angle between two vectors of length 1; 0 if their lengths in numbers differ. */
export function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) return 0;
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
