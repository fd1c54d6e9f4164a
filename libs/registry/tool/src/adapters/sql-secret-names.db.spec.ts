import { rowsOf } from '#lib/database';
import { newId } from '#lib/kernel';
import { secretBindingEntity, secretEntity } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { describeSecretNames } from '../application/secret-names.contract.js';
import { SqlSecretNames } from './sql-secret-names.js';

describeSecretNames('SqlSecretNames', async () => {
  const world = await postgresWorld();
  const by = world.home.admin.personId;
  return {
    world,
    names: new SqlSecretNames(),
    keep: (name, version, binding) =>
      world.uow.run(world.home.tenantId, async (tx) => {
        const sealed = { keyId: 'k1', nonce: Buffer.alloc(12), ciphertext: Buffer.alloc(16) };
        for (let number = 1; number <= version; number += 1)
          await rowsOf(tx, secretEntity).insert({
            id: newId(),
            name,
            version: number,
            ...sealed,
            createdAt: 0,
            createdBy: by,
          });
        if (binding === null) return;
        await rowsOf(tx, secretBindingEntity).insert({
          secretName: name,
          ...binding,
          executors: [...binding.executors],
          environments: [...binding.environments],
          tools: [...binding.tools],
          updatedAt: 0,
          updatedBy: by,
        });
      }),
  };
});
