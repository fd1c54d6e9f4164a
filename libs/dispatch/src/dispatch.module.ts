import { Module, type DynamicModule } from '@nestjs/common';
import { UNIT_OF_WORK } from '#lib/database';
import {
  dispatchParts,
  GRANT_REVOKER,
  GUARDED_FETCH,
  GrantKeyring,
  IssueGrant,
  RedeemGrant,
  TOOL_DISPATCHER,
  type DispatchNeeds,
  type DispatchParts,
  type GuardedFetch,
} from '#lib/dispatch';
import { ROW_SEALS, type RowSeals, type UnitOfWork } from '#lib/kernel';
import { KEYRING, SECRET_VAULT, type Keyring, type SecretVault } from '#lib/tenancy';

const PARTS = Symbol('dispatch parts');

/** Grants and executors for an application. Needs the database's and tenancy's modules, which are global. */
@Module({})
export class DispatchModule {
  static of(config: Pick<DispatchNeeds, 'issuer' | 'allowedPrivateHosts' | 'slugOf'>): DynamicModule {
    const provideParts = {
      provide: PARTS,
      inject: [UNIT_OF_WORK, KEYRING, ROW_SEALS, SECRET_VAULT],
      useFactory: (unitOfWork: UnitOfWork, keyring: Keyring, seals: RowSeals, vault: SecretVault): DispatchParts =>
        dispatchParts({ unitOfWork, keyring, seals, vault, ...config }),
    };
    const providers = [
      { provide: TOOL_DISPATCHER, inject: [PARTS], useFactory: (parts: DispatchParts) => parts.dispatcher },
      { provide: GRANT_REVOKER, inject: [PARTS], useFactory: (parts: DispatchParts) => parts.revoker },
      { provide: GUARDED_FETCH, inject: [PARTS], useFactory: (parts: DispatchParts): GuardedFetch => parts.fetch },
      { provide: GrantKeyring, inject: [PARTS], useFactory: (parts: DispatchParts) => parts.keys },
      { provide: IssueGrant, inject: [PARTS], useFactory: (parts: DispatchParts) => parts.issue },
      { provide: RedeemGrant, inject: [PARTS], useFactory: (parts: DispatchParts) => parts.redeem },
    ];
    return {
      module: DispatchModule,
      global: true,
      providers: [provideParts, ...providers],
      exports: providers.map(({ provide }) => provide),
    };
  }
}
