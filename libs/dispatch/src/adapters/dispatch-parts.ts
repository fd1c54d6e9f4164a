import type { RowSeals, TenantId, UnitOfWork } from '#lib/kernel';
import { KeyringKeyWrapping, type Keyring, type SecretVault } from '#lib/tenancy';
import { GrantKeyring } from '../application/grant-keyring.js';
import type { GrantRevoker } from '../application/grant.ports.js';
import { IssueGrant } from '../application/issue-grant.js';
import { RedeemGrant } from '../application/redeem-grant.js';
import { RevokeGrants } from '../application/revoke-grants.js';
import type { ToolDispatcher } from '../application/tool-dispatcher.port.js';
import type { AllowedPrivateHosts } from '../domain/address-policy.js';
import { guardedFetch, type GuardedFetch } from './guarded-fetch.js';
import { HttpToolDispatcher } from './http-tool-dispatcher.js';
import { TenantAgents } from './tenant-agents.js';
import { TypeormGrantKeyStore } from './typeorm-grant-key.store.js';
import { TypeormGrantRepository } from './typeorm-grant.repository.js';
import { VaultSecretResolver } from './vault-secret-resolver.js';

export interface DispatchNeeds {
  readonly unitOfWork: UnitOfWork;
  readonly keyring: Keyring;
  readonly seals: RowSeals;
  readonly vault: SecretVault;
  /** Countersign's own address, as tool servers reach it: the issuer of its grants. */
  readonly issuer: string;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

export interface DispatchParts {
  readonly dispatcher: ToolDispatcher;
  readonly keys: GrantKeyring;
  readonly redeem: RedeemGrant;
  /** Grants for those who fetch their calls themselves. */
  readonly issue: IssueGrant;
  readonly revoker: GrantRevoker;
  /** For whatever else leaves for an address that a tenant named. */
  readonly fetch: GuardedFetch;
}

/** The whole way out, wired. */
export function dispatchParts({
  unitOfWork,
  keyring,
  seals,
  vault,
  issuer,
  allowedPrivateHosts,
  slugOf,
}: DispatchNeeds): DispatchParts {
  const grants = new TypeormGrantRepository(seals);
  const keys = new GrantKeyring(new TypeormGrantKeyStore(unitOfWork, new KeyringKeyWrapping(keyring), seals));
  const issue = new IssueGrant(unitOfWork, grants, keys, issuer);
  const agents = new TenantAgents(allowedPrivateHosts, slugOf);
  return {
    dispatcher: new HttpToolDispatcher(issue, new VaultSecretResolver(unitOfWork, vault), agents),
    fetch: guardedFetch(agents),
    keys,
    issue,
    redeem: new RedeemGrant(unitOfWork, grants, keys),
    revoker: new RevokeGrants(grants),
  };
}
