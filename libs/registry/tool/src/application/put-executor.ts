import { z } from 'zod';
import type { AddressVerdict, ExecutorKinds } from '#lib/dispatch';
import { executorDocumentSchema, type ExecutorDocument } from '#lib/formats';
import {
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Failure,
  type FieldError,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type Principal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { isBoundTo, type EnvironmentRepository } from '#lib/tenancy';
import {
  checkAudience,
  destinationOf,
  executorDigest,
  loosenedExecutor,
  spelt,
  readExecutor,
  type ExecutorContent,
} from '../domain/executor-document.js';
import type { ExecutorId } from '../domain/ids.js';
import { requireAdmin } from './require-admin.js';
import type { ExecutorRecord, StoredExecutor } from '../domain/tool-version.js';
import type { ExecutorInEnvironment } from './read-registry.js';
import type { ExecutorRepository, SecretNames } from './tool.ports.js';

/** The operator's rules for addresses outside, by name or literal address; nothing is resolved. */
export interface OutboundAddresses {
  rulesOf(tenantId: TenantId): Promise<(hostname: string, port: number) => AddressVerdict>;
}

interface PutExecutorDeps {
  readonly uow: UnitOfWork;
  readonly executors: ExecutorRepository;
  readonly environments: Pick<EnvironmentRepository, 'byName'>;
  readonly secrets: SecretNames;
  readonly addresses: OutboundAddresses;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  readonly kinds: ExecutorKinds;
}

/**
 * Sets the executor of tools in an environment. A changed address is a new version, and voids the approvals of the old
 * one. A change that sends calls to another destination waits for a second person.
 */
export class PutExecutor implements CarriesOutChange<WantedExecutor> {
  readonly payload = wantedExecutor;

  constructor(private readonly deps: PutExecutorDeps) {}

  async execute(
    principal: Principal,
    environmentName: string,
    name: string,
    document: ExecutorDocument,
  ): Promise<Result<Guarded<ExecutorInEnvironment>>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    const wanted = { environment: environmentName, name, document };
    const content = readExecutor(
      this.deps.kinds,
      document,
      wanted,
      await this.deps.addresses.rulesOf(principal.tenantId),
    );
    if (!content.ok) return err(invalid(content.error));
    return this.deps.uow.run(principal.tenantId, (tx) => this.#put(tx, admin.value, wanted, content.value));
  }

  async carryOut(
    tx: Tx,
    change: ConfirmedChange,
    wanted: WantedExecutor,
  ): Promise<Result<Guarded<ExecutorInEnvironment>>> {
    // The operator's rules about addresses are checked again.
    const content = readExecutor(
      this.deps.kinds,
      wanted.document,
      wanted,
      await this.deps.addresses.rulesOf(tx.tenantId),
    );
    return content.ok ? this.#put(tx, change, wanted, content.value) : err(invalid(content.error));
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    wanted: WantedExecutor,
    content: ExecutorContent,
  ): Promise<Result<Guarded<ExecutorInEnvironment>>> {
    const { name } = wanted;
    const environment = await this.deps.environments.byName(tx, wanted.environment);
    if (environment === null) return err(notFound('environment'));
    const { secret } = content;
    if (secret !== null) {
      const binding = (await this.deps.secrets.bindings(tx, [secret])).get(secret);
      if (binding === undefined) return err(unknownSecret(secret));
      const use = { purpose: 'executor_token', environment: environment.name, executor: name } as const;
      if (!isBoundTo(binding, use)) return err(notBound(secret, `${environment.name}/${name}`));
    }
    const standing = await this.deps.executors.lock(tx, environment.id, name);
    const others = await this.deps.executors.withAudience(tx, content.audience, environment.id);
    const audience = checkAudience({ name, environment: environment.name }, content, standing, others);
    if (!audience.ok) return err(invalid(audience.error));
    const digest = executorDigest(environment.id, name, content);
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'executor',
      subject: { type: 'executor', id: standing?.id ?? name },
      what: `The executor ${name} of ${environment.name}`,
      payload: { ...wanted },
      base: { digest: standing?.digest ?? null },
      loosens: loosenedExecutor(this.deps.kinds, standing, content),
      detail: {
        environment: environment.name,
        name,
        before: standing === null ? null : spelt(standing),
        after: spelt(content),
      },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const shown = (executor: StoredExecutor): ExecutorInEnvironment => ({
      environment: environment.name,
      executor,
      destination: destinationOf(this.deps.kinds, executor),
    });
    if (standing?.digest === digest) return ok(done(shown(standing), admitted));
    const updatedAt = await tx.now();
    const record: ExecutorRecord = {
      id: standing?.id ?? newId<ExecutorId>(),
      name,
      ...content,
      version: (standing?.version ?? 0) + 1,
      digest,
    };
    await this.deps.executors.save(tx, environment.id, record, admitted.authorId, updatedAt);
    await this.deps.twoPersonRule.outdate(tx, admitted, {
      kind: 'executor',
      why: `The executor ${name} of ${environment.name} was changed meanwhile.`,
      // One that waits to be made goes by its name, which another environment may have, too.
      base: (payload) => {
        const waiting = wantedExecutor.safeParse(payload).data;
        return waiting?.environment === environment.name && waiting.name === name ? { digest } : undefined;
      },
    });
    await this.deps.audit.record(tx, {
      action: standing === null ? 'executor.created' : 'executor.updated',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'executor', id: record.id },
      payload: {
        environment: environment.name,
        name,
        from: standing === null ? null : { ...spelt(standing), digest: standing.digest },
        to: { ...spelt(record), digest },
        ...admitted.provenance,
      },
    });
    return ok(done(shown({ ...record, updatedAt }), admitted));
  }
}

const wantedExecutor = z.strictObject({
  environment: z.string(),
  name: z.string(),
  document: executorDocumentSchema,
});
type WantedExecutor = z.infer<typeof wantedExecutor>;

const unknownSecret = (secret: string): Failure =>
  invalid([
    {
      pointer: '/secret',
      code: 'executor.unknown_secret',
      message: `There is no secret ${secret}: store it first, and name the version it was given.`,
    },
  ]);

const notBound = (secret: string, receiver: string): Failure =>
  invalid([
    {
      pointer: '/secret',
      code: 'executor.secret_not_bound',
      message: `The secret ${secret} is not for the executor ${receiver} as its token.`,
      suggestion: `countersign secret bind ${secret.split('@')[0] ?? secret} --token --executor ${receiver}; name all that it is for, since a binding takes the place of the one before`,
    },
  ]);

const invalid = (errors: readonly FieldError[]): Failure => ({
  kind: 'unprocessable',
  code: 'executor.invalid',
  message: 'The executor cannot be registered as it stands.',
  action: 'Correct the listed errors, and try again.',
  errors,
});
