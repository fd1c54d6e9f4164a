/** The dimensions of a point. Contrib `cube` has at most 100. */
export const POINT_DIMENSIONS = 96;

/** For each length of a vector, the signs of the projection. They are the same in every process and for ever: stored points depend on them. */
const signsOf = new Map<number, Int8Array>();
/** A server may answer each question with another length. */
const MAX_LENGTHS = 16;

/**
 * Projects a vector to 96 dimensions by fixed random signs, which nearly keeps distances (Achlioptas 2003, after Johnson and
 * Lindenstrauss). A vector that is no longer stays as it is.
 */
export function projectVector(vector: Float32Array): readonly number[] {
  if (vector.length <= POINT_DIMENSIONS)
    return [...vector, ...new Array<number>(POINT_DIMENSIONS - vector.length).fill(0)];
  const signs = signsOf.get(vector.length) ?? madeSigns(vector.length);
  if (signsOf.size >= MAX_LENGTHS && !signsOf.has(vector.length)) signsOf.clear();
  signsOf.set(vector.length, signs);
  const scale = 1 / Math.sqrt(POINT_DIMENSIONS);
  return Array.from({ length: POINT_DIMENSIONS }, (_, dimension) => {
    let sum = 0;
    const from = dimension * vector.length;
    for (let at = 0; at < vector.length; at += 1) sum += (signs[from + at] ?? 0) * (vector[at] ?? 0);
    return sum * scale;
  });
}

/** The generator of Park and Miller (CACM 1988), by its highest bit. */
function madeSigns(length: number): Int8Array {
  let state = 20_261_126;
  return Int8Array.from({ length: length * POINT_DIMENSIONS }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state > 1_073_741_823 ? 1 : -1;
  });
}
