/** Longest part of a path, in characters. No name and no id is longer. */
export const MAX_PARAMETER = 200;
