import { FailureError, err, ok, type Result } from '#lib/kernel';
import { secretReferences } from '../domain/secret-references.js';
import type { SecretResolver, WantedSecret } from './secret-resolver.port.js';
import { notStarted, type DispatchOrder, type DispatchOutcome } from './tool-dispatcher.port.js';

/** The secrets of a call by reference, and the references that its arguments name. */
export interface CallSecrets {
  readonly values: ReadonlyMap<string, string>;
  readonly references: readonly string[];
}

/**
 * Resolves the secrets of a call: those of its arguments, and the token of its executor.
 *
 * Errors: `dispatch.secret_not_bound`, `dispatch.secret_unavailable`; the call did not start.
 */
export async function resolveCallSecrets(
  secrets: SecretResolver,
  order: DispatchOrder,
): Promise<Result<CallSecrets, DispatchOutcome>> {
  const references = order.withSecrets ? secretReferences(order.arguments) : [];
  try {
    return ok({ values: await secrets.resolveAll(order.tenantId, wantedSecrets(order, references)), references });
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'secret.not_bound') {
      return err(notStarted('dispatch.secret_not_bound', `${error.failure.message} Nothing was sent.`));
    }
    return err(
      notStarted(
        'dispatch.secret_unavailable',
        "A secret that the call needs cannot be read; see the tenant's secrets.",
      ),
    );
  }
}

/** The destinations of a call's secrets: those of its arguments to the tool, the token to the executor. */
function wantedSecrets(
  { environment, executor, tool }: DispatchOrder,
  references: readonly string[],
): readonly WantedSecret[] {
  const receiver = { environment, executor: executor.name };
  const wanted: WantedSecret[] = references.map((reference) => ({
    reference,
    use: { purpose: 'tool_arguments', ...receiver, tool: tool.name },
  }));
  if (executor.secret !== null) {
    wanted.push({ reference: executor.secret, use: { purpose: 'executor_token', ...receiver } });
  }
  return wanted;
}
