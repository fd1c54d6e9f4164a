import { fail, type TenantId } from '#lib/kernel';
import * as refusals from '../application/move-refusals.js';
import { tenantOfPurpose } from '../domain/encrypted-values.js';
import type { TargetKeys } from './serve-receiver.js';

/**
 * The keys of the target for tenants that arrive there, and for no other. A source that fails, or is taken over, must
 * not place a key that checks seals of the target's tenants. Nor must it end the epoch of such a tenant.
 *
 * @param moving the tenants that move to the target or from it at this moment, as its own database says.
 * @param common purposes whose keys belong to no tenant: they come along with those of a tenant that arrives.
 */
export function keysOfMovingTenants(
  keys: TargetKeys,
  moving: () => Promise<readonly TenantId[]>,
  common: readonly string[],
): TargetKeys {
  const require = async (named: readonly (string | null)[]): Promise<void> => {
    const tenants: readonly (string | null)[] = await moving();
    if (named.length === 0 || named.some((id) => !tenants.includes(id))) fail(refusals.arrivesNot);
  };
  return {
    identity: keys.identity,
    reachedDatabase: (moveId) => keys.reachedDatabase(moveId),
    wrap: async (purpose, plain) => {
      await require([tenantOfPurpose(purpose)]);
      return keys.wrap(purpose, plain);
    },
    unwrap: async (purpose, wrapped) => {
      await require([tenantOfPurpose(purpose)]);
      return keys.unwrap(purpose, wrapped);
    },
    addMoved: async (moved) => {
      await require(moved.flatMap(({ purpose }) => (common.includes(purpose) ? [] : [tenantOfPurpose(purpose)])));
      await keys.addMoved(moved);
    },
    keepSigningKey: async (tenantId, ...key) => {
      await require([tenantId]);
      await keys.keepSigningKey(tenantId, ...key);
    },
    startEpoch: async (command) => {
      await require([command.tenantId]);
      return keys.startEpoch(command);
    },
  };
}
