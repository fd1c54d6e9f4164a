import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AuditModule } from '#module/audit';
import { DatabaseModule } from '#module/database';
import { DispatchModule } from '#module/dispatch';
import { PolicyModule } from '#module/policy';
import { TenancyModule } from '#module/tenancy';
import { AUDIT_LOG, BuildEvidencePack, type AuditLog } from '#lib/audit';
import type { Database } from '#lib/database';
import type { InstallationConfig } from '#lib/installation';
import { openKeyring } from '#lib/tenancy';

const evidencePacks = {
  provide: BuildEvidencePack,
  inject: [AUDIT_LOG],
  useFactory: (log: AuditLog): BuildEvidencePack => log.evidencePacks([]),
};

/** Every library, wired. Its providers are global: an app adds what makes it an app. */
@Global()
@Module({})
export class InstallationModule {
  static async of(config: InstallationConfig, database: Database): Promise<DynamicModule> {
    const keyring = await openKeyring({ COUNTERSIGN_KEYRING: config.keyringFile ?? undefined }, config.keyDirectory);
    return {
      module: InstallationModule,
      imports: [
        DatabaseModule.of(database),
        AuditModule.of(config.keyDirectory),
        TenancyModule.of(keyring),
        PolicyModule,
        DispatchModule.of({ issuer: config.publicUrl, allowedPrivateHosts: config.allowedPrivateHosts }),
      ],
      providers: [evidencePacks],
      exports: [BuildEvidencePack],
    };
  }
}
