import type { Command } from 'commander';
import type { SecretBindingDocument } from '#lib/formats';
import { CommandError, EXIT } from '../exit-codes.js';
import { oneLine } from '../output.js';

export interface BindingOptions {
  readonly executor?: readonly string[];
  readonly environment?: readonly string[];
  readonly tool?: readonly string[];
  readonly token?: boolean;
  readonly signIn?: boolean;
  readonly incidents?: boolean;
}

const collect = (name: string, before: readonly string[] = []): readonly string[] => [...before, name];

/** The options that bind a secret to its destination. */
export const withBinding = (command: Command): Command =>
  command
    .option('--tool <name>', 'a tool whose calls may get it; may be repeated', collect)
    .option('--executor <environment/name>', 'an executor that it may be sent to; may be repeated', collect)
    .option('--environment <name>', 'an environment: every executor there; may be repeated', collect)
    .option('--token', 'the executors are called with it, as a bearer token')
    .option('--sign-in', 'it is a client secret of an OpenID Connect issuer')
    .option('--incidents', 'it is a routing key of PagerDuty');

/** The binding that the options describe; undefined without any. @throws {CommandError} if they contradict each other. */
export function bindingIn(options: BindingOptions): SecretBindingDocument | undefined {
  const { executor = [], environment = [], tool = [] } = options;
  const purposes = [
    ...(tool.length > 0 ? (['tool_arguments'] as const) : []),
    ...(options.token === true ? (['executor_token'] as const) : []),
    ...(options.signIn === true ? (['sign_in'] as const) : []),
    ...(options.incidents === true ? (['incidents'] as const) : []),
  ];
  const [purpose, second] = purposes;
  if (second !== undefined)
    throw refused(
      'A secret is for one thing.',
      'Give one of --tool, --token, --sign-in and --incidents, and store another secret for the rest.',
    );
  if (purpose === undefined) {
    if (executor.length + environment.length === 0) return undefined;
    throw refused(
      'This does not say what the executors get it for.',
      'Add --tool NAME for calls of a tool, or --token for the executors themselves.',
    );
  }
  return {
    purpose,
    ...(executor.length === 0 ? {} : { executors: [...executor] }),
    ...(environment.length === 0 ? {} : { environments: [...environment] }),
    ...(tool.length === 0 ? {} : { tools: [...tool] }),
  };
}

const refused = (message: string, action: string): CommandError =>
  new CommandError(EXIT.usage, message, action, [], 'secret.invalid_binding');

/** A binding in one line. */
export function bindingLine(binding: SecretBindingDocument | null): string {
  if (binding === null) return 'nothing: it is sent nowhere';
  const { purpose, executors = [], environments = [], tools = [] } = binding;
  const bound = [...executors, ...environments.map((name) => `every executor of ${name}`)].map(oneLine).join(', ');
  switch (purpose) {
    case 'tool_arguments':
      return `${tools.map(oneLine).join(', ')} at ${bound}`;
    case 'executor_token':
      return `token of ${bound}`;
    case 'sign_in':
      return 'sign-in';
    case 'incidents':
      return 'incidents';
  }
}
