import { z } from 'zod';
import type { Json } from '#lib/canonical';
import {
  done,
  err,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type AdmittedChange,
  type ConfirmedChange,
  type Failure,
  type FieldError,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { closest } from '#lib/words';
import { checkBinding, loosenedBinding, type SecretBinding, type SecretPurpose } from '../domain/secret-binding.js';
import type { EnvironmentRepository, SecretRepository } from './tenancy.ports.js';

/** A secret with its present binding. */
export interface BoundSecret {
  readonly name: string;
  readonly binding: SecretBinding | null;
}

/**
 * Sets the binding of a secret, for all its versions. A wider binding waits for a second person. A narrower one counts at
 * once, also for calls that were approved before.
 */
export class BindSecret implements CarriesOutChange<BoundSecret> {
  readonly payload = boundSecret;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly secrets: SecretRepository,
    private readonly environments: EnvironmentRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  /** `not_found`, or `secret.invalid_binding`. @param wanted null: it is sent nowhere. */
  execute(by: PersonPrincipal, name: string, wanted: SecretBinding | null): Promise<Result<Guarded<BoundSecret>>> {
    return this.uow.run(by.tenantId, (tx) => this.#bind(tx, by, { name, binding: wanted }));
  }

  carryOut(tx: Tx, change: ConfirmedChange, wanted: BoundSecret): Promise<Result<Guarded<BoundSecret>>> {
    return this.#bind(tx, change, wanted);
  }

  async #bind(tx: Tx, authority: ChangeAuthority, wanted: BoundSecret): Promise<Result<Guarded<BoundSecret>>> {
    const { name } = wanted;
    if ((await this.secrets.lockName(tx, name)) === 0) return err(notFound('secret'));
    const checked = await readBinding(tx, this.environments, wanted.binding);
    if (!checked.ok) return checked;
    const binding = checked.value;
    const before = await this.secrets.binding(tx, name);
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'secret_binding',
      subject: { type: 'secret', id: name },
      what: `What the secret ${name} may be sent to`,
      payload: { name, binding: spelt(binding) },
      base: { binding: spelt(before) },
      loosens: loosenedBinding(before, binding),
      detail: { name, before: spelt(before), after: spelt(binding) },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    await this.secrets.saveBinding(tx, name, binding, admitted.authorId, await tx.now());
    await outdateBindings(this.twoPersonRule, tx, admitted, { name, binding });
    await this.audit.record(tx, {
      action: 'secret.bound',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'secret', id: name },
      payload: { name, before: spelt(before), after: spelt(binding), ...admitted.provenance },
    });
    return ok(done({ name, binding }, admitted));
  }
}

const names = z.array(z.string());
const boundSecret: z.ZodType<BoundSecret> = z.strictObject({
  name: z.string(),
  binding: z
    .strictObject({
      purpose: z.enum(['tool_arguments', 'executor_token', 'sign_in', 'incidents'] satisfies SecretPurpose[]),
      executors: names,
      environments: names,
      tools: names,
    })
    .nullable(),
});

/** Voids the change requests on an earlier binding of the secret. */
export const outdateBindings = (
  twoPersonRule: TwoPersonRule,
  tx: Tx,
  by: Pick<AdmittedChange, 'actor' | 'provenance'>,
  { name, binding }: BoundSecret,
): Promise<void> =>
  twoPersonRule.outdate(tx, by, {
    kind: 'secret_binding',
    subjectId: name,
    why: `What the secret ${name} may be sent to was changed meanwhile.`,
    base: () => ({ binding: spelt(binding) }),
  });

/** A binding as it may be stored: whole, and naming environments that there are. */
export async function readBinding(
  tx: Tx,
  environments: Pick<EnvironmentRepository, 'names'>,
  wanted: SecretBinding | null,
): Promise<Result<SecretBinding | null>> {
  if (wanted === null) return ok(null);
  const checked = checkBinding(wanted);
  if (!checked.ok) return err(invalid(checked.error));
  const known = await environments.names(tx);
  const unknown = [
    ...wanted.environments.map((name, index) => ({ name, pointer: `/binding/environments/${String(index)}` })),
    ...wanted.executors.map((executor, index) => ({
      name: executor.split('/')[0] ?? '',
      pointer: `/binding/executors/${String(index)}`,
    })),
  ].filter(({ name }) => !known.includes(name));
  if (unknown.length === 0) return checked;
  return err(
    invalid(
      unknown.map(({ name, pointer }) => {
        const meant = closest(name, known);
        return {
          pointer,
          code: 'secret.unknown_environment',
          message: `There is no environment "${name}".`,
          ...(meant === undefined ? {} : { suggestion: meant }),
        };
      }),
    ),
  );
}

/** As documents and audit entries spell it. */
export const spelt = (binding: SecretBinding | null): Json =>
  binding === null
    ? null
    : {
        purpose: binding.purpose,
        executors: [...binding.executors],
        environments: [...binding.environments],
        tools: [...binding.tools],
      };

const invalid = (errors: readonly FieldError[]): Failure => ({
  kind: 'unprocessable',
  code: 'secret.invalid_binding',
  message: 'The secret cannot be bound so.',
  action: 'Correct the listed errors, and try again.',
  errors,
});
