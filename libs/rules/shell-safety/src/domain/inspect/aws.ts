import type { Inspect } from '../inspection.js';

/** The AWS command line reads `file://` and `fileb://`, and in its first version fetches `http://`, in place of any value. */
const PARAMETER_FILE = /(^|=)(fileb?|https?):\/\//i;

export const awsParameterFiles: Inspect = (words) =>
  words
    .filter((word) => word.patterns.some((pattern) => PARAMETER_FILE.test(pattern)))
    .map((at) => ({
      kind: 'effect',
      class: 'NETWORK',
      code: 'shell.sends_file',
      does: 'sends a file, or what an address answers, to the service',
      at,
    }));
