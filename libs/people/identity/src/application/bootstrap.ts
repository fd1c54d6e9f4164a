import { PLATFORM_ADMIN } from '#lib/formats';
import {
  actorOf,
  err,
  FailureError,
  newId,
  ok,
  type Actor,
  type AuditSink,
  type Failure,
  type PersonId,
  type Result,
  type SecretDigests,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { BOOTSTRAP_LIFETIME_MS } from '../domain/lifetime.js';
import { spellToken, TOKEN_BYTES, tokenKindOf } from '../domain/token.js';
import type { EnrolmentTokens, IssuedEnrolment } from './enrolment.js';
import type { BootstrapTokenRepository, PersonRepository, RandomBytes, TenantFounder } from './identity.ports.js';

/** Makes the single-use token that founds a tenant: for the operator of the machine, not over HTTP. */
export class IssueBootstrapToken {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tokens: BootstrapTokenRepository,
    private readonly digests: SecretDigests,
    private readonly random: RandomBytes,
  ) {}

  async execute(): Promise<IssuedEnrolment> {
    const token = spellToken('bootstrap', this.random.bytes(TOKEN_BYTES), null);
    const digest = await this.digests.digest('bootstrap', token);
    // The table is global, and a transaction always belongs to a tenant: here to one without members.
    const expiresAt = await this.uow.run(newId<TenantId>(), (tx) =>
      this.tokens.insert(tx, { digest, lifetimeMs: BOOTSTRAP_LIFETIME_MS }),
    );
    return { token, expiresAt };
  }
}

/** The tenant that a bootstrap made. The enrolment is the first admin's; it goes the way of everybody's first credential. */
export interface FoundedTenant {
  readonly tenantId: TenantId;
  readonly personId: PersonId;
  readonly enrolment: IssuedEnrolment;
}

interface BootstrapDeps {
  readonly uow: UnitOfWork;
  readonly tokens: BootstrapTokenRepository;
  readonly tenants: TenantFounder;
  readonly people: PersonRepository;
  readonly enrolments: EnrolmentTokens;
  readonly digests: SecretDigests;
  readonly audit: AuditSink;
}

/** Founds a tenant with its environments and first PlatformAdmin, once for each bootstrap token. */
export class Bootstrap {
  constructor(private readonly deps: BootstrapDeps) {}

  async execute(
    token: string,
    wanted: {
      readonly tenant: { readonly slug: string; readonly name: string };
      readonly admin: { readonly email: string; readonly displayName: string };
    },
  ): Promise<Result<FoundedTenant>> {
    if (tokenKindOf(token) !== 'bootstrap') return err(bootstrapRefused);
    const digests = await this.deps.digests.candidates('bootstrap', token);
    const tenantId = newId<TenantId>();
    const personId = newId<PersonId>();
    return this.deps.uow.run(tenantId, async (tx) => {
      if (!(await this.deps.tokens.use(tx, digests))) return err(bootstrapRefused);
      const founded = await this.deps.tenants.found(tx, wanted.tenant);
      // Thrown, so that the token is not used up by a name that was taken.
      if (!founded.ok) throw new FailureError(founded.error);
      await this.deps.people.insert(tx, { id: personId, ...wanted.admin });
      await this.deps.people.assignRole(tx, {
        id: newId(),
        personId,
        role: PLATFORM_ADMIN,
        assignedBy: null,
        at: await tx.now(),
      });
      const { token: enrolmentToken, digest } = await this.deps.enrolments.spell(tenantId);
      const maker = { channel: 'bootstrap', createdBy: null } as const;
      const expiresAt = await this.deps.enrolments.write(tx, digest, personId, maker);
      await this.deps.audit.record(tx, {
        action: 'tenant.founded',
        actor: founder(tenantId),
        level: 'full',
        subject: { type: 'tenant', id: tenantId },
        payload: {
          slug: wanted.tenant.slug,
          name: wanted.tenant.name,
          first_admin: personId,
          email: wanted.admin.email,
        },
      });
      return ok({ tenantId, personId, enrolment: { token: enrolmentToken, expiresAt } });
    });
  }
}

/** The founding has no person of the tenant yet that could be its actor. */
const founder = (tenantId: TenantId): Actor => actorOf({ kind: 'system', tenantId, name: 'bootstrap' });

const bootstrapRefused: Failure = {
  kind: 'unauthenticated',
  code: 'bootstrap.refused',
  message: 'This bootstrap token opens nothing: it is unknown, used, or too old.',
  action: 'Make a new one on the server: countersign bootstrap.',
};
