import type { AutomationId, Tx } from '#lib/kernel';
import { KeyringKeyWrapping, type Keyring } from '#lib/tenancy';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleAutomation, sampleAutomationRevision } from '../application/fake-automation.repository.js';
import { TypeormAutomationSecrets } from './typeorm-automation-secrets.js';
import { TypeormAutomationRepository } from './typeorm-automation.repository.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
let id: AutomationId;
beforeAll(async () => {
  world = await postgresWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  const automations = new TypeormAutomationRepository(testSeals());
  const automation = sampleAutomation(world.home);
  ({ id } = automation);
  await atHome(async (tx) => {
    await automations.insert(tx, automation);
    await automations.addRevision(tx, id, sampleAutomationRevision(world.home));
  });
});

const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);

const keys = new Map([1, 2].map((byte) => [byte === 1 ? 'one' : 'two', Buffer.alloc(32, byte)]));
const keyringAt = (current: 'one' | 'two'): Keyring => ({
  current: () => Promise.resolve({ id: current, key: keys.get(current) ?? Buffer.alloc(0) }),
  byId: (key) => Promise.resolve(keys.get(key)),
  ring: () => Promise.resolve({ current, keys }),
});
const secretsUnder = (current: 'one' | 'two') =>
  new TypeormAutomationSecrets(new KeyringKeyWrapping(keyringAt(current)));

describe('the secrets of automations', () => {
  it('are good until a later one ends them, and belong to one automation of one tenant', async () => {
    const secrets = secretsUnder('one');
    const until = (await atHome((tx) => tx.now())) + 60_000;
    await atHome((tx) => secrets.renew(tx, id, 'first', 0));
    await atHome((tx) => secrets.renew(tx, id, 'second', until));
    expect(await atHome((tx) => secrets.valid(tx, id))).toEqual(['second', 'first']);
    expect(await world.uow.run(world.other.tenantId, (tx) => secrets.valid(tx, id))).toEqual([]);
    await atHome((tx) => secrets.renew(tx, id, 'third', 0));
    expect(await atHome((tx) => secrets.valid(tx, id))).toEqual(['third']);
  });

  it('T32: lie encrypted, and come along with a rotation of the master key', async () => {
    const [before, after] = [secretsUnder('one'), secretsUnder('two')];
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
});
