import type { Tx } from '#lib/kernel';
import { createKeys, type Keyring } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeAutomationSecrets } from '../application/automation-secrets.contract.js';
import { sampleAutomation, sampleAutomationRevision } from '../application/fake-automation.repository.js';
import { SqlAutomationSecrets } from './sql-automation-secrets.js';
import { SqlAutomationRepository } from './sql-automation.repository.js';

const keys = new Map([1, 2].map((byte) => [byte === 1 ? 'one' : 'two', Buffer.alloc(32, byte)]));
const keyringAt = (current: 'one' | 'two'): Keyring => ({
  current: () => Promise.resolve({ id: current, key: keys.get(current) ?? Buffer.alloc(0) }),
  byId: (key) => Promise.resolve(keys.get(key) ?? null),
  ring: () => Promise.resolve({ current, keys }),
});
const secretsUnder = (current: 'one' | 'two') => new SqlAutomationSecrets(createKeys(keyringAt(current)).wrapping);

async function open() {
  const world = await postgresWorld();
  const automations = new SqlAutomationRepository(testSeals());
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
  return {
    world,
    atHome,
    secrets: secretsUnder('one'),
    automation: async () => {
      const automation = sampleAutomation(world.home);
      await atHome(async (tx) => {
        await automations.insert(tx, automation);
        await automations.addRevision(tx, automation.id, sampleAutomationRevision(world.home));
      });
      return automation.id;
    },
    until: async (moment: number) => {
      while ((await atHome((tx) => tx.now())) < moment);
    },
  };
}

describeAutomationSecrets('SqlAutomationSecrets', open);

it('T32: the secrets of automations lie encrypted, and come along with a rotation of the master key', async () => {
  const { world, atHome, automation, secrets: before } = await open();
  const [after, id] = [secretsUnder('two'), await automation()];
  await atHome((tx) => before.renew(tx, id, 'whsec_secret', 0));
  const stored = async (): Promise<readonly { key_id: string; row: string }[]> =>
    (
      await world.db.owner.query<{ key_id: string; row: string }>(
        `select key_id, encode(ciphertext, 'escape') as row from automation_secret where automation_id = $1`,
        [id],
      )
    ).rows;
  expect((await stored())[0]?.row).not.toContain('whsec');
  expect(await atHome((tx) => after.resealStale(tx, 'two', 10))).toMatchObject({ ok: true });
  expect((await stored()).map(({ key_id }) => key_id)).toEqual(['two']);
  keys.delete('one');
  expect(await atHome((tx) => after.valid(tx, id))).toEqual(['whsec_secret']);
});
