import type { Argument, Finding, Inspect } from '../inspection.js';
import { readsOutside } from '../outside-paths.js';
import { namesSecret } from '../paths.js';
import { withPatterns } from '../read-word.js';

/** `secret`, `secrets/name`, `pods,secrets`, `secrets.v1.`: one resource of a list may be meant. */
const SECRETS = /(^|,)secrets?($|[,./])/i;

/** `-o go-template-file=path` and its like, also as `-o=…`: its text is printed, by an error at least. */
const TEMPLATE_FILE = /^=?[a-z-]*file=/i;

/** Secrets, and resources that only the cluster knows (`*`): their values are printed by `-o yaml`. */
export const kubectlSecrets: Inspect = (_words, _row, call) => [
  ...call.operands
    .filter((operand) => operand.value === null || SECRETS.test(operand.value) || operand.value.includes('*'))
    .map((at) => secret('can print secrets of the cluster', at)),
  ...call.options.flatMap(({ value }) =>
    value !== null && TEMPLATE_FILE.test(value.prefix) && isNoTemplate(value)
      ? [secret('reads a template that may hold secrets', value)]
      : [],
  ),
];

function isNoTemplate(value: Argument): boolean {
  const file = withPatterns(
    value,
    value.patterns.map((pattern) => pattern.replace(TEMPLATE_FILE, '')),
  );
  return namesSecret(file) || readsOutside(file);
}

const secret = (does: string, at: Argument): Finding => ({
  kind: 'effect',
  class: 'READ_ONLY',
  tier: 2,
  code: 'shell.reads_secret',
  does,
  at,
});
