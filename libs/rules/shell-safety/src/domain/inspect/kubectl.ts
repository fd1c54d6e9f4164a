import type { Inspect } from '../inspection.js';

/** `secret`, `secrets/name`, `pods,secrets`, `secrets.v1.`: one resource of a list may be meant. */
const SECRETS = /(^|,)secrets?($|[,./])/i;

/** Secrets, and resources that only the cluster knows (`*`): their values are printed by `-o yaml`. */
export const kubectlSecrets: Inspect = (_words, _row, call) =>
  call.operands
    .filter((operand) => operand.value === null || SECRETS.test(operand.value) || operand.value.includes('*'))
    .map((at) => ({
      kind: 'effect',
      class: 'READ_ONLY',
      tier: 2,
      code: 'shell.reads_secret',
      does: 'can print secrets of the cluster',
      at,
    }));
