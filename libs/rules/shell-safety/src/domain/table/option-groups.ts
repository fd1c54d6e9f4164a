/** The two options that every GNU program answers without doing anything else. */
export const HELP = '--help --version';

/** Counts spelled as options: `head -20` is the bundle `-2 -0`. */
export const DIGITS = '-0 -1 -2 -3 -4 -5 -6 -7 -8 -9';
