import { openDataSource, TypeormUnitOfWork } from '#lib/database';
import { IssueBootstrapToken, nodeRandomBytes, PostgresBootstrapTokenRepository } from '#lib/identity';

/** A bootstrap token of the installation, as an operator has one. */
export async function bootstrapToken(databaseUrl: string): Promise<string> {
  const dataSource = await openDataSource({ url: databaseUrl, poolSize: 1, applicationName: 'countersign-bench' });
  const tokens = new PostgresBootstrapTokenRepository();
  const { token } = await new IssueBootstrapToken(new TypeormUnitOfWork(dataSource), tokens, nodeRandomBytes).execute();
  await dataSource.destroy();
  return token;
}
