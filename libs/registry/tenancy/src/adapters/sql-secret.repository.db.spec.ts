import { isSqlError } from '#lib/database';
import { newId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeSecretRepository } from '../application/secret.repository.contract.js';
import { SqlSecretRepository } from './sql-secret.repository.js';

describeSecretRepository('SqlSecretRepository', async () => ({
  world: await postgresWorld(),
  secrets: new SqlSecretRepository(),
}));

it('a secret belongs to a person of the tenant (23503)', async () => {
  const world = await postgresWorld();
  const stored = world.uow.run(world.home.tenantId, (tx) =>
    new SqlSecretRepository().insert(tx, {
      id: newId(),
      name: 'deploy-key',
      version: 1,
      keyId: 'k1',
      nonce: Buffer.alloc(12),
      ciphertext: Buffer.alloc(16),
      createdAt: 0,
      createdBy: world.other.owner.personId,
    }),
  );
  const error: unknown = await stored.catch((thrown: unknown) => thrown);
  await world.close();
  expect(isSqlError(error, '23503', 'secret_created_by_fk')).toBe(true);
});
