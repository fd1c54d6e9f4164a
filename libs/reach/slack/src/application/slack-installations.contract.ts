import { createHash } from 'node:crypto';
import { newId, type PersonId, type TenantId, type Tx } from '#lib/kernel';
import type { ClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import type { Installed, SlackInstallations } from './slack.ports.js';

const STATE_MS = 600_000;
const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** The contract of {@link SlackInstallations}. */
export function describeSlackInstallations(
  name: string,
  open: () => Promise<{ readonly world: ClockedWorld; readonly installations: SlackInstallations }>,
): void {
  describe(`${name} keeps the contract of SlackInstallations`, () => {
    let world: ClockedWorld;
    let installations: SlackInstallations;
    let owner: PersonId;
    let admin: PersonId;
    beforeEach(async () => {
      ({ world, installations } = await open());
      ({ personId: owner } = world.home.owner);
      ({ personId: admin } = world.home.admin);
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const saveApp = (app = sampleApp()) => atHome((tx) => installations.saveApp(tx, app, admin));
    const install = (installed: Installed = sampleInstalled()): Promise<boolean> =>
      atHome((tx) => installations.saveInstallation(tx, installed, admin));

    describe('the app', () => {
      it('is not there before it is entered', async () => {
        expect(await atHome((tx) => installations.app(tx))).toBeNull();
        expect(await atHome((tx) => installations.lockApp(tx))).toBeNull();
        expect(await atHome((tx) => installations.signingSecret(tx))).toBeNull();
      });

      it('is given back with its secrets, and with the time of its last change', async () => {
        const app = sampleApp();
        const writtenAt = await atHome((tx) => tx.now());
        await saveApp(app);
        expect(await atHome((tx) => installations.app(tx))).toEqual(app);
        expect(await atHome((tx) => installations.lockApp(tx))).toEqual({ app, writtenAt });
        expect(await atHome((tx) => installations.signingSecret(tx))).toBe(app.signingSecret);
      });

      it('is one a tenant: the last that was entered', async () => {
        await saveApp();
        await world.pass(5);
        const later = { ...sampleApp(), clientId: '2.2', signingSecret: '5'.repeat(32) };
        await saveApp(later);
        const writtenAt = await atHome((tx) => tx.now());
        expect(await atHome((tx) => installations.lockApp(tx))).toEqual({ app: later, writtenAt });
        expect(await atHome((tx) => installations.signingSecret(tx))).toBe(later.signingSecret);
      });

      it('is changed by one transaction at a time, even before there is one', async () => {
        expect(await waitsBehind(world, (tx) => installations.lockApp(tx))).toBe(true);
      });
    });

    describe('the workspace', () => {
      it('is there once both the app and its installation are', async () => {
        const [app, installed] = [sampleApp(), sampleInstalled()];
        expect(await atHome((tx) => installations.workspace(tx))).toBeNull();
        await saveApp(app);
        expect(await atHome((tx) => installations.workspace(tx))).toBeNull();
        expect(await install(installed)).toBe(true);
        const { teamId, teamName, appId, botUserId, botToken } = installed;
        expect(await atHome((tx) => installations.workspace(tx))).toEqual({
          ...{ tenantId: world.home.tenantId, teamId, teamName, appId, botUserId, botToken },
          signingSecret: app.signingSecret,
        });
      });

      it('is one a tenant: another takes the place of the one before', async () => {
        await saveApp();
        const [first, second] = [sampleInstalled(), { ...sampleInstalled('T2'), botToken: 'xoxb-2' }];
        await install(first);
        await install(second);
        expect(await atHome((tx) => installations.workspace(tx))).toMatchObject({ teamId: 'T2', botToken: 'xoxb-2' });
        expect(await installations.locate(first.appId, first.teamId)).toBeNull();
      });

      it('is located by app and team, before the tenant is known', async () => {
        const { appId, teamId } = sampleInstalled();
        expect(await installations.locate(appId, teamId)).toBeNull();
        await install();
        expect(await installations.locate(appId, teamId)).toBe(world.home.tenantId);
        expect([await installations.locate('A9', teamId), await installations.locate(appId, 'T9')]).toEqual([
          null,
          null,
        ]);
        await atHome((tx) => installations.removeInstallation(tx));
        expect(await installations.locate(appId, teamId)).toBeNull();
      });

      it('T19: is not taken from another tenant with the same app', async () => {
        const installed = sampleInstalled();
        const by = world.other.admin.personId;
        await elsewhere((tx) => installations.saveInstallation(tx, installed, by));
        expect(await install(installed)).toBe(false);
        expect(await installations.locate(installed.appId, installed.teamId)).toBe(world.other.tenantId);
        expect((await atHome((tx) => installations.settings(tx))).installation).toBeNull();
        await atHome((tx) => installations.removeInstallation(tx));
        expect(await installations.locate(installed.appId, installed.teamId)).toBe(world.other.tenantId);
      });
    });

    describe('the settings', () => {
      it('hold no secret', async () => {
        await saveApp();
        const installedAt = await atHome((tx) => tx.now());
        await install();
        const { teamId, teamName } = sampleInstalled();
        expect(await atHome((tx) => installations.settings(tx))).toEqual({
          app: { clientId: sampleApp().clientId },
          installation: { teamId, teamName, installedAt },
          channels: {},
          onDuty: [],
        });
      });

      it('have channels and people on duty before there is an app, as they were last set', async () => {
        await atHome((tx) => installations.setChannels(tx, { production: 'C1', staging: 'C2' }));
        await atHome((tx) => installations.setOnDuty(tx, [owner, admin]));
        await atHome((tx) => installations.setChannels(tx, { production: 'C3', '': 'C4' }));
        const [before] = [await atHome((tx) => installations.settings(tx))];
        expect(before).toEqual({
          app: null,
          installation: null,
          channels: { '': 'C4', production: 'C3' },
          onDuty: expect.arrayContaining([owner, admin]) as PersonId[],
        });
        await atHome((tx) => installations.setOnDuty(tx, [admin, newId<PersonId>()]));
        await atHome((tx) => installations.setChannels(tx, {}));
        expect(await atHome((tx) => installations.settings(tx))).toMatchObject({ channels: {}, onDuty: [admin] });
      });

      it('tell the channels alone only if Slack is installed', async () => {
        const channels = { production: 'C1', '': 'C2' };
        await atHome((tx) => installations.setChannels(tx, channels));
        expect(await atHome((tx) => installations.channels(tx))).toBeNull();
        await install();
        expect(await atHome((tx) => installations.channels(tx))).toEqual(channels);
        await atHome((tx) => installations.setChannels(tx, {}));
        expect(await atHome((tx) => installations.channels(tx))).toEqual({});
      });

      it('are read as the same transaction has changed them', async () => {
        await saveApp();
        await install();
        const seen = await atHome(async (tx) => {
          const before = [await installations.channels(tx), (await installations.workspace(tx))?.teamId];
          await installations.setChannels(tx, { production: 'C1' });
          const routed = await installations.channels(tx);
          await installations.saveInstallation(tx, sampleInstalled('T2'), admin);
          const moved = (await installations.workspace(tx))?.teamId;
          await installations.removeInstallation(tx);
          return [...before, routed, moved, await installations.channels(tx), await installations.workspace(tx)];
        });
        expect(seen).toEqual([{}, sampleInstalled().teamId, { production: 'C1' }, 'T2', null, null]);
      });

      it('are read as they were last changed, though the same transaction reads them during each change', async () => {
        await saveApp();
        await install();
        const later = { ...sampleApp(), signingSecret: '5'.repeat(32) };
        const seen = await atHome(async (tx) => {
          const readBeside = async (change: Promise<unknown>): Promise<void> => {
            const changing = { over: false };
            const changed = change.finally(() => (changing.over = true));
            while (!changing.over) {
              await installations.channels(tx);
              await new Promise((resolve) => setImmediate(resolve));
            }
            await changed;
          };
          await readBeside(installations.setChannels(tx, { production: 'C1' }));
          const channels = await installations.channels(tx);
          await readBeside(installations.saveApp(tx, later, admin));
          const signed = (await installations.workspace(tx))?.signingSecret;
          await readBeside(installations.saveInstallation(tx, sampleInstalled('T2'), admin));
          const moved = (await installations.workspace(tx))?.teamId;
          await readBeside(installations.removeInstallation(tx));
          return [channels, signed, moved, await installations.workspace(tx)];
        });
        expect(seen).toEqual([{ production: 'C1' }, later.signingSecret, 'T2', null]);
      });

      it('T19: are those of their own tenant', async () => {
        await saveApp();
        await install();
        await atHome((tx) => installations.setChannels(tx, { production: 'C1' }));
        await atHome((tx) => installations.setOnDuty(tx, [owner]));
        expect(await elsewhere((tx) => installations.settings(tx))).toEqual({
          ...{ app: null, installation: null, channels: {}, onDuty: [] },
        });
        await elsewhere((tx) => installations.setChannels(tx, {}));
        await elsewhere((tx) => installations.setOnDuty(tx, []));
        expect(await atHome((tx) => installations.settings(tx))).toMatchObject({
          channels: { production: 'C1' },
          onDuty: [owner],
        });
      });
    });

    it('tells the names of those people that exist in the tenant', async () => {
      const people = [owner, newId<PersonId>(), world.other.owner.personId];
      const names = await atHome((tx) => installations.namesOf(tx, people));
      expect([...names]).toEqual([[owner, expect.any(String)]]);
    });

    describe('an installation under way', () => {
      const begin = async (reason?: string): Promise<string> => {
        const state = newId();
        const by = { ...world.home.admin, ...(reason === undefined ? {} : { reason }) };
        await atHome((tx) => installations.beginInstall(tx, digest(state), by, STATE_MS));
        return state;
      };
      const located = async (state: string): Promise<{ readonly tenantId: TenantId; readonly id: string }> => {
        const found = await installations.locateInstall([digest('another'), digest(state)]);
        if (found === null) throw new Error('the state leads nowhere');
        return found;
      };
      const use = (id: string) => atHome((tx) => installations.useInstall(tx, id));

      it('is located by its state, before the tenant is known', async () => {
        const state = await begin();
        expect((await located(state)).tenantId).toBe(world.home.tenantId);
        expect(await installations.locateInstall([digest('another')])).toBeNull();
        expect(await installations.locateInstall([])).toBeNull();
      });

      it('tells the admin who began it, and works once', async () => {
        const { personId, credentialId } = world.home.admin;
        const displayName = expect.any(String) as string;
        const { id } = await located(await begin());
        expect(await use(id)).toEqual({ personId, credentialId, displayName });
        expect(await use(id)).toBeNull();
        const reasoned = await located(await begin('We moved.'));
        expect(await use(reasoned.id)).toEqual({ personId, credentialId, displayName, reason: 'We moved.' });
      });

      it('is too old once its time is over', async () => {
        const [one, other] = [await located(await begin()), await located(await begin())];
        await world.pass(STATE_MS - 1);
        expect(await use(one.id)).not.toBeNull();
        await world.pass(1);
        expect(await use(other.id)).toBeNull();
      });

      it('T19: is of no use in another tenant', async () => {
        const { id } = await located(await begin());
        expect(await elsewhere((tx) => installations.useInstall(tx, id))).toBeNull();
        expect(await use(id)).not.toBeNull();
      });
    });
  });
}
