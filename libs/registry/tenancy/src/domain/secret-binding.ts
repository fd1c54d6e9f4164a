import { err, ok, type FieldError, type Result } from '#lib/kernel';

/** The purposes of secrets. Each secret has one, so that no plan can reach an executor's token. */
export type SecretPurpose = 'tool_arguments' | 'executor_token' | 'sign_in' | 'incidents';

/** Everything that a secret may be sent to, all its versions alike. A secret without a binding is sent nowhere. */
export interface SecretBinding {
  readonly purpose: SecretPurpose;
  /** As `<environment>/<name>`. */
  readonly executors: readonly string[];
  /** By name: every executor there. */
  readonly environments: readonly string[];
  /** The names of the tools that may take it in their arguments. Only for `tool_arguments`. */
  readonly tools: readonly string[];
}

/** The destination to which a secret is about to be sent. */
export type SecretUse =
  | {
      readonly purpose: 'tool_arguments';
      readonly environment: string;
      readonly executor: string;
      readonly tool: string;
    }
  | { readonly purpose: 'executor_token'; readonly environment: string; readonly executor: string }
  | { readonly purpose: 'sign_in' }
  | { readonly purpose: 'incidents' };

/** Whether a secret of this binding may be sent there. */
export function isBoundTo(binding: SecretBinding | null, use: SecretUse): boolean {
  if (binding?.purpose !== use.purpose) return false;
  if (use.purpose === 'sign_in' || use.purpose === 'incidents') return true;
  const reached =
    binding.environments.includes(use.environment) || binding.executors.includes(`${use.environment}/${use.executor}`);
  return reached && (use.purpose === 'executor_token' || binding.tools.includes(use.tool));
}

/** A use in words: `the tool restart at production/fleet`. */
export function useInWords(use: SecretUse): string {
  switch (use.purpose) {
    case 'tool_arguments':
      return `the tool ${use.tool} at the executor ${use.environment}/${use.executor}`;
    case 'executor_token':
      return `the executor ${use.environment}/${use.executor} as its token`;
    case 'sign_in':
      return 'issuers, for sign-in';
    case 'incidents':
      return 'PagerDuty, for incidents';
  }
}

/** Sorted and without doubles; `secret.invalid_binding` with the error. */
export function checkBinding(wanted: SecretBinding): Result<SecretBinding, readonly FieldError[]> {
  const bound = wanted.executors.length + wanted.environments.length;
  const errors: FieldError[] = [];
  const refuse = (member: string, message: string): void => {
    errors.push({ pointer: `/binding/${member}`, code: 'secret.invalid_binding', message });
  };
  if (wanted.purpose === 'sign_in' || wanted.purpose === 'incidents') {
    if (bound > 0) refuse('executors', `A secret for ${wanted.purpose} is sent to no executor.`);
  } else if (bound === 0) {
    refuse('executors', 'Name the executors as environment/name, or the environments, that it may be sent to.');
  }
  if (wanted.purpose === 'tool_arguments' && wanted.tools.length === 0)
    refuse('tools', 'Name the tools whose calls it is for.');
  if (wanted.purpose !== 'tool_arguments' && wanted.tools.length > 0)
    refuse('tools', 'Only a secret for tool_arguments names tools.');
  if (errors.length > 0) return err(errors);
  const each = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();
  return ok({
    purpose: wanted.purpose,
    executors: each(wanted.executors),
    environments: each(wanted.environments),
    tools: each(wanted.tools),
  });
}

/** In words, the destinations that are new; empty for a change that only narrows. */
export function loosenedBinding(before: SecretBinding | null, after: SecretBinding | null): readonly string[] {
  if (after === null) return [];
  if (before?.purpose !== after.purpose) return [bindingInWords(after)];
  const covered = (executor: string): boolean =>
    before.executors.includes(executor) || before.environments.includes(executor.split('/')[0] ?? '');
  return [
    ...after.environments
      .filter((name) => !before.environments.includes(name))
      .map((name) => `it may be sent to every executor of ${name}`),
    ...after.executors.filter((name) => !covered(name)).map((name) => `it may be sent to the executor ${name}`),
    ...after.tools.filter((name) => !before.tools.includes(name)).map((name) => `calls of the tool ${name} may get it`),
  ];
}

/** A whole binding in words. */
export function bindingInWords({ purpose, executors, environments, tools }: SecretBinding): string {
  const bound = [...executors, ...environments.map((name) => `every executor of ${name}`)].join(', ');
  switch (purpose) {
    case 'tool_arguments':
      return `calls of ${tools.join(', ')} may get it, at ${bound}`;
    case 'executor_token':
      return `these are called with it as a token: ${bound}`;
    case 'sign_in':
      return 'issuers may get it as a client secret';
    case 'incidents':
      return 'PagerDuty may get it as a routing key';
  }
}
