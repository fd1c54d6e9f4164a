/** A vector in numbers from -127 to 127. A search compares directions alone, and the index of a session stays small. */
export function shortVector(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, part) => Math.max(most, Math.abs(part)), 0);
  return Int8Array.from(vector, (part) => Math.round((part / largest) * 127));
}

/** The cosine of the angle between a vector of length 1 and a short one. -1 if they differ in dimensions. */
export function nearness(asked: Float32Array, short: Int8Array): number {
  if (asked.length !== short.length) return -1;
  let [product, square] = [0, 0];
  for (let at = 0; at < short.length; at += 1) {
    const part = short[at] ?? 0;
    product += (asked[at] ?? 0) * part;
    square += part * part;
  }
  return square === 0 ? -1 : product / Math.sqrt(square);
}
