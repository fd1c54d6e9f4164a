import { join } from 'node:path';
import { openDatabase, packageRoot } from '#lib/database';
import { compose, ENTITIES, installationConfigFrom, type Installation } from '#lib/installation';
import { createKeys, openKeyring, type Keys } from '#lib/tenancy';

/** The installation with this data folder, in this process and wired as every other. Its database is the caller's to close. */
export async function benchInstallation(
  url: string,
  data: string,
  options: Pick<Parameters<typeof openDatabase>[1], 'poolSize' | 'limits'>,
): Promise<Installation> {
  const database = await openDatabase(
    { kind: 'external', url },
    {
      ...options,
      applicationName: 'countersign-bench',
      entities: ENTITIES,
      onError: (error) => {
        process.emitWarning(error);
      },
    },
  );
  return compose(installationConfigFrom({ COUNTERSIGN_DATA: data }, packageRoot()), database);
}

/** The keys of the installation with this data folder. */
export const keysOf = async (data: string): Promise<Keys> => createKeys(await openKeyring({}, join(data, 'keys')));

/** A bootstrap token of the installation, as an operator has one. */
export async function bootstrapToken(url: string, data: string): Promise<string> {
  const { identity, database } = await benchInstallation(url, data, { poolSize: 2 });
  try {
    return (await identity.issueBootstrapToken.execute()).token;
  } finally {
    await database.close();
  }
}
