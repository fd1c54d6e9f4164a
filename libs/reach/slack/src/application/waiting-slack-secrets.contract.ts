import { newId, type ChangeRequestId, type Digest, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import {
  installedSchema,
  slackAppSecretsSchema,
  type Installed,
  type SealedSlackSecrets,
  type SlackApp,
  type WaitingSlackSecrets,
} from './slack.ports.js';

/** The secrets of the home tenant, and the changes that they wait for. */
export interface WaitingSecretsStore {
  readonly world: ContractWorld;
  readonly waiting: WaitingSlackSecrets;
  /** An open change of the kind. */
  change(kind: 'slack_app' | 'slack_workspace'): Promise<ChangeRequestId>;
  /** Ends the change. */
  end(change: ChangeRequestId): Promise<void>;
}

/** The contract of {@link WaitingSlackSecrets}. */
export function describeWaitingSlackSecrets(name: string, open: () => Promise<WaitingSecretsStore>): void {
  describe(`${name} keeps the contract of WaitingSlackSecrets`, () => {
    let store: WaitingSecretsStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      store.world.uow.run(store.world.home.tenantId, work);
    const kept = async (secrets: SlackApp | Installed, kind: 'slack_app' | 'slack_workspace' = 'slack_app') => {
      const changeId = await store.change(kind);
      const sealed = await atHome((tx) => store.waiting.seal(tx, secrets));
      await atHome((tx) => store.waiting.keep(tx, changeId, sealed));
      return { changeId, digest: sealed.digest };
    };
    const opened = (changeId: ChangeRequestId, digest: Digest) => (tx: Tx) =>
      store.waiting.open(tx, changeId, digest, slackAppSecretsSchema);

    it('opens the secrets that were kept, for each change its own', async () => {
      const later = { ...sampleApp(), clientId: '2.2' };
      const [first, second] = [await kept(sampleApp()), await kept(later)];
      expect(await atHome(opened(first.changeId, first.digest))).toEqual(sampleApp());
      expect(await atHome(opened(second.changeId, second.digest))).toEqual(later);
      const { changeId, digest } = await kept(sampleInstalled(), 'slack_workspace');
      const installed = atHome((tx) => store.waiting.open(tx, changeId, digest, installedSchema));
      expect(await installed).toEqual(sampleInstalled());
    });

    it('names secrets by a digest that differs each time, also for the same secrets', async () => {
      const seal = (): Promise<SealedSlackSecrets> => atHome((tx) => store.waiting.seal(tx, sampleApp()));
      const [one, other] = [await seal(), await seal()];
      expect(one.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(one.digest).not.toBe(other.digest);
    });

    it('opens no secrets under the digest of others', async () => {
      const [one, other] = [await kept(sampleApp()), await kept(sampleApp())];
      await expect(atHome(opened(one.changeId, other.digest))).rejects.toThrow('are others');
    });

    it('opens no secrets of another shape', async () => {
      const { changeId, digest } = await kept(sampleInstalled());
      await expect(atHome(opened(changeId, digest))).rejects.toThrow('clientId');
    });

    it('forgets the secrets when their change ends', async () => {
      const [ended, open] = [await kept(sampleApp()), await kept(sampleApp())];
      await store.end(ended.changeId);
      await expect(atHome(opened(ended.changeId, ended.digest))).rejects.toThrow('are not there');
      expect(await atHome(opened(open.changeId, open.digest))).toEqual(sampleApp());
    });

    it('T19: opens them for their own tenant alone', async () => {
      const { changeId, digest } = await kept(sampleApp());
      const theirs = store.world.uow.run(store.world.other.tenantId, opened(changeId, digest));
      await expect(theirs).rejects.toThrow('are not there');
      await expect(atHome(opened(newId<ChangeRequestId>(), digest))).rejects.toThrow('are not there');
    });
  });
}
