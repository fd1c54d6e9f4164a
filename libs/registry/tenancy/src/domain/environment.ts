import { err, ok, type EnvironmentId, type Failure, type Result, type TenantId } from '#lib/kernel';

/** One customer. Times are epoch milliseconds. */
export interface Tenant {
  readonly id: TenantId;
  readonly slug: string;
  readonly name: string;
  readonly createdAt: number;
}

/** A part of the tenant's systems in which tools act; approvals bind its record, with its `version`. */
export interface Environment {
  readonly id: EnvironmentId;
  readonly name: string;
  /** Whether state changes here count as production. */
  readonly production: boolean;
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The environments that every tenant begins with. */
export const INITIAL_ENVIRONMENTS: readonly { readonly name: string; readonly production: boolean }[] = [
  { name: 'production', production: true },
  { name: 'staging', production: false },
  { name: 'development', production: false },
];

/** As autonomy documents and tasks may write it; the database checks the same. */
const environmentName = /^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/;
const tenantSlug = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** `tenancy.invalid_environment_name` unless it can be one. */
export function checkEnvironmentName(name: string): Result<string> {
  return environmentName.test(name)
    ? ok(name)
    : err(invalid('tenancy.invalid_environment_name', '/name', 'lower-case letters, digits, "-" and "_", at most 63'));
}

/** `tenancy.invalid_tenant` unless slug and name can be a tenant's. */
export function checkTenant(tenant: { readonly slug: string; readonly name: string }): Result<void> {
  if (!tenantSlug.test(tenant.slug)) {
    return err(invalid('tenancy.invalid_tenant', '/slug', 'lower-case letters, digits and "-", at most 63'));
  }
  if (tenant.name.length < 1 || tenant.name.length > 200) {
    return err(invalid('tenancy.invalid_tenant', '/name', '1 to 200 characters'));
  }
  return ok(undefined);
}

/** A change of an environment, and whether it takes protection away. */
export interface EnvironmentChange {
  readonly next: Environment;
  /** Production no longer counts as production: calls that needed a person may run without one. */
  readonly loosened: boolean;
}

/** Sets the production flag. The same value is no change, and no new version. */
export function changeEnvironment(environment: Environment, production: boolean, now: number): EnvironmentChange {
  if (environment.production === production) return { next: environment, loosened: false };
  const updatedAt = Math.max(now, environment.createdAt);
  return {
    next: { ...environment, production, version: environment.version + 1, updatedAt },
    loosened: environment.production,
  };
}

function invalid(code: string, pointer: string, allowed: string): Failure {
  const message = `Allowed are ${allowed}.`;
  return { kind: 'unprocessable', code, message, action: 'Choose another name.', errors: [{ pointer, code, message }] };
}
