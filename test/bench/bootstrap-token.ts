import { join } from 'node:path';
import { openDataSource, TypeormUnitOfWork } from '#lib/database';
import { ENTITIES } from '#lib/installation';
import { IssueBootstrapToken, nodeRandomBytes, SqlBootstrapTokenRepository } from '#lib/identity';
import { DerivedKeys, KeyringRowSeals, KeyringSecretDigests, openKeyring } from '#lib/tenancy';

/** The digests of secrets of the installation with this data folder. */
export const digestsOf = async (data: string): Promise<KeyringSecretDigests> =>
  new KeyringSecretDigests(new DerivedKeys(await openKeyring({}, join(data, 'keys'))));

/** The seals of rows of the installation with this data folder. */
export const sealsOf = async (data: string): Promise<KeyringRowSeals> =>
  new KeyringRowSeals(new DerivedKeys(await openKeyring({}, join(data, 'keys'))), () => undefined);

/** A bootstrap token of the installation, as an operator has one. */
export async function bootstrapToken(databaseUrl: string, data: string): Promise<string> {
  const dataSource = await openDataSource({
    url: databaseUrl,
    poolSize: 1,
    applicationName: 'countersign-bench',
    entities: ENTITIES,
  });
  const tokens = new SqlBootstrapTokenRepository();
  const uow = new TypeormUnitOfWork(dataSource);
  const { token } = await new IssueBootstrapToken(uow, tokens, await digestsOf(data), nodeRandomBytes).execute();
  await dataSource.destroy();
  return token;
}
