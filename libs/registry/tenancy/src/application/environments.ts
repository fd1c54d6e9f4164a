import { z } from 'zod';
import { storedId } from '#lib/formats';
import {
  actorOf,
  done,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type EnvironmentId,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { changeEnvironment, checkEnvironmentName, type Environment, type Tenant } from '../domain/environment.js';
import type { EnvironmentRepository, TenantRepository } from './tenancy.ports.js';

/** The caller's own tenant. */
export class GetTenant {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tenants: TenantRepository,
  ) {}

  execute(tenantId: TenantId): Promise<Result<Tenant>> {
    return this.uow.run(tenantId, async (tx) => {
      const tenant = await this.tenants.find(tx);
      return tenant === null ? err(notFound('tenant')) : ok(tenant);
    });
  }
}

/** The environments of a tenant. */
export class ListEnvironments {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly environments: EnvironmentRepository,
  ) {}

  /** Sorted by name; the last name of a page is where the next begins. */
  execute(
    tenantId: TenantId,
    page: { readonly limit: number; readonly afterName: string | null },
  ): Promise<readonly Environment[]> {
    return this.uow.run(tenantId, (tx) => this.environments.list(tx, page));
  }
}

export class GetEnvironment {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly environments: EnvironmentRepository,
  ) {}

  execute(tenantId: TenantId, id: EnvironmentId): Promise<Result<Environment>> {
    return this.uow.run(tenantId, async (tx) => {
      const environment = await this.environments.byId(tx, id);
      return environment === null ? err(notFound('environment')) : ok(environment);
    });
  }
}

/** Makes an environment. Its production flag decides about every call in it. */
export class CreateEnvironment {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly environments: EnvironmentRepository,
    private readonly audit: AuditSink,
  ) {}

  /** `tenancy.invalid_environment_name`, or `tenancy.environment_name_taken`. */
  async execute(
    by: PersonPrincipal,
    wanted: { readonly name: string; readonly production: boolean },
  ): Promise<Result<Environment>> {
    const name = checkEnvironmentName(wanted.name);
    if (!name.ok) return name;
    return this.uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      const environment: Environment = {
        ...wanted,
        id: newId<EnvironmentId>(),
        version: 1,
        createdAt: now,
        updatedAt: now,
      };
      if (!(await this.environments.insert(tx, environment))) {
        return err({
          kind: 'conflict',
          code: 'tenancy.environment_name_taken',
          message: `An environment "${wanted.name}" exists already.`,
          action: 'Use that one, or choose another name.',
        });
      }
      await this.audit.record(tx, {
        action: 'environment.created',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'environment', id: environment.id },
        payload: { name: environment.name, production: environment.production },
      });
      return ok(environment);
    });
  }
}

/**
 * Switches an environment's production flag. An approval that is bound to the old record no longer holds. Clearing the
 * flag loosens, and waits for a second person.
 */
export class ChangeEnvironment implements CarriesOutChange<WantedFlag> {
  readonly payload = wantedFlag;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly environments: EnvironmentRepository,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  /** @param requireCurrent throws if the person read another version. Called under the lock. */
  execute(
    by: PersonPrincipal,
    id: EnvironmentId,
    production: boolean,
    requireCurrent: (version: number) => void,
  ): Promise<Result<Guarded<Environment>>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const environment = await this.environments.lock(tx, id);
      if (environment === null) return err(notFound('environment'));
      requireCurrent(environment.version);
      return this.#change(tx, by, environment, production);
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedFlag): Promise<Result<Guarded<Environment>>> {
    const environment = await this.environments.lock(tx, wanted.environment_id);
    if (environment === null) return err(notFound('environment'));
    return this.#change(tx, change, environment, wanted.production);
  }

  async #change(
    tx: Tx,
    authority: ChangeAuthority,
    environment: Environment,
    production: boolean,
  ): Promise<Result<Guarded<Environment>>> {
    const { next, loosened } = changeEnvironment(environment, production, await tx.now());
    const payload: WantedFlag = { environment_id: environment.id, production };
    const admission = await this.twoPersonRule.admit(tx, authority, {
      kind: 'environment',
      subject: { type: 'environment', id: environment.id },
      what: `${environment.name} ${next.production ? 'counts' : 'no longer counts'} as production`,
      payload: { ...payload },
      base: { version: environment.version },
      loosens: loosened ? [`what production asks for is no longer asked for in ${environment.name}`] : [],
      detail: { name: environment.name, before: environment.production, after: next.production },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    if (next === environment) return ok(done(environment, admitted));
    await this.environments.save(tx, next);
    await this.twoPersonRule.outdate(tx, admitted, {
      kind: 'environment',
      subjectId: environment.id,
      why: `${environment.name} was changed meanwhile.`,
      base: () => ({ version: next.version }),
    });
    await this.audit.record(tx, {
      action: loosened ? 'environment.loosened' : 'environment.tightened',
      actor: admitted.actor,
      level: loosened ? 'full_with_evidence' : 'full',
      subject: { type: 'environment', id: environment.id },
      payload: {
        name: next.name,
        before: { production: environment.production, version: environment.version },
        after: { production: next.production, version: next.version },
        ...admitted.provenance,
      },
    });
    return ok(done(next, admitted));
  }
}

const wantedFlag = z.strictObject({ environment_id: storedId<EnvironmentId>(), production: z.boolean() });
type WantedFlag = z.infer<typeof wantedFlag>;
