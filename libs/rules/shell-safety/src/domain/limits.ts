/**
 * The caps of one command line. Each of them denies: a cap that only asked would turn "too much to judge" into "approve unread".
 */
export const LIMITS = {
  /** UTF-8 bytes of the line. */
  bytes: 16_384,
  /** Commands, those of substitutions and of quoted scripts included. */
  commands: 200,
  /** Words that are read, those of scripts that are read a second time included. */
  words: 4_000,
  /** Characters that begin an expansion, a redirection or a here-document. The parser looks for the end of each. */
  openings: 1_000,
  /** Constructs inside each other. */
  depth: 40,
} as const;
