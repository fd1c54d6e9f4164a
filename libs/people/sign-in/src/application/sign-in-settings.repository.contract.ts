import { newId, type PersonId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SignInSettings } from '../domain/issuer.js';
import { sampleIssuer, sampleSettings } from './fake-issuer.js';
import type { SignInSettingsRepository } from './sign-in.ports.js';

/** The contract of a repository of sign-in settings. */
export function describeSignInSettingsRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly settings: SignInSettingsRepository }>,
): void {
  describe(`${name} keeps the contract of SignInSettingsRepository`, () => {
    let world: ContractWorld;
    let settings: SignInSettingsRepository;
    beforeEach(async () => {
      ({ world, settings } = await open());
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const save = async (wanted = sampleSettings()): Promise<SignInSettings> => {
      await atHome((tx) => settings.save(tx, wanted, world.home.admin.personId));
      return atHome((tx) => settings.read(tx));
    };
    const idOf = (saved: SignInSettings, url = sampleIssuer().url): string => {
      const issuer = saved.issuers.find((one) => one.url === url);
      if (issuer === undefined) throw new Error(`${url} is not in service`);
      return issuer.id;
    };

    it('has defaults before the first change', async () => {
      const untouched = {
        revision: 0,
        reauthenticateAfterMinutes: 720,
        signInRequired: false,
        dormantAfterDays: 90,
        browserSessionMinutes: 720,
        browserSessionIdleMinutes: 60,
        issuers: [],
      };
      expect(await atHome((tx) => settings.read(tx))).toEqual(untouched);
      expect(await atHome((tx) => settings.lock(tx))).toEqual(untouched);
    });

    it('reads the last saved settings, whole, and those of its own tenant alone', async () => {
      const confidential = sampleIssuer({ name: 'other', url: 'https://other.example.com', clientSecret: 'oidc@1' });
      const wanted = sampleSettings({ signInRequired: true, issuers: [confidential, sampleIssuer()] });
      const saved = await save(wanted);
      expect(saved).toMatchObject(wanted);
      expect(await atHome((tx) => settings.lock(tx))).toEqual(saved);
      for (const issuer of saved.issuers) expect(await atHome((tx) => settings.issuer(tx, issuer.id))).toEqual(issuer);
      expect(await elsewhere((tx) => settings.read(tx))).toMatchObject({ revision: 0, issuers: [] });
      expect(await elsewhere((tx) => settings.issuer(tx, idOf(saved)))).toBeNull();
      expect(await atHome((tx) => settings.issuer(tx, newId()))).toBeNull();
      const loosened = sampleSettings({ revision: 2, browserSessionMinutes: 60, issuers: [] });
      expect(await save(loosened)).toEqual(loosened);
    });

    it('takes an issuer that is no longer named out of service, and knows it again by its address', async () => {
      const other = sampleIssuer({ name: 'other', url: 'https://other.example.com' });
      const first = await save(sampleSettings({ issuers: [sampleIssuer(), other] }));
      const id = idOf(first);
      expect((await save(sampleSettings({ revision: 2, issuers: [other] }))).issuers).toEqual([first.issuers[1]]);
      expect(await atHome((tx) => settings.issuer(tx, id))).toBeNull();
      const back = sampleIssuer({ name: 'acme-2', bearerScopes: [] });
      const { issuers } = await save(sampleSettings({ revision: 3, issuers: [other, back] }));
      expect(issuers).toEqual([{ ...back, id }, first.issuers[1]]);
    });

    it('lets issuers exchange their names, and refuses a name twice (23505)', async () => {
      const other = sampleIssuer({ name: 'other', url: 'https://other.example.com' });
      const first = await save(sampleSettings({ issuers: [sampleIssuer(), other] }));
      const exchanged = [sampleIssuer({ name: 'other' }), { ...other, name: 'acme' }];
      const { issuers } = await save(sampleSettings({ revision: 2, issuers: exchanged }));
      expect(issuers.map(({ id, name: of }) => [id, of])).toEqual([
        [first.issuers[0]?.id, 'other'],
        [first.issuers[1]?.id, 'acme'],
      ]);
      const twice = save(sampleSettings({ revision: 3, issuers: [sampleIssuer(), { ...other, name: 'acme' }] }));
      await expect(twice).rejects.toMatchObject({ code: '23505' });
      expect(await atHome((tx) => settings.read(tx))).toMatchObject({ revision: 2 });
    });

    it('refuses settings beyond the limits (23514)', async () => {
      const beyond = [{ revision: 0 }, { reauthenticateAfterMinutes: 4 }, { dormantAfterDays: 366 }];
      for (const members of [...beyond, { browserSessionMinutes: 721 }, { browserSessionIdleMinutes: 61 }])
        await expect(save(sampleSettings(members))).rejects.toMatchObject({ code: '23514' });
      expect(await atHome((tx) => settings.read(tx))).toMatchObject({ revision: 0 });
    });

    it('keeps the last standing of each issuer', async () => {
      const other = sampleIssuer({ name: 'other', url: 'https://other.example.com' });
      const saved = await save(sampleSettings({ issuers: [sampleIssuer(), other] }));
      const [issuerId, otherId] = [idOf(saved), idOf(saved, other.url)];
      const { admin, owner } = world.home;
      expect(await atHome((tx) => settings.standing(tx, issuerId))).toBeNull();
      const keep = (how: 'alone' | 'confirmed', personId: PersonId, of = issuerId): Promise<void> =>
        atHome((tx) => settings.keepStanding(tx, { issuerId: of, how, personId }));
      await keep('alone', admin.personId);
      await keep('alone', owner.personId, otherId);
      expect(await atHome((tx) => settings.standing(tx, issuerId))).toEqual({ how: 'alone', personId: admin.personId });
      await keep('confirmed', owner.personId);
      const confirmed = { how: 'confirmed', personId: owner.personId };
      expect(await atHome((tx) => settings.standing(tx, issuerId))).toEqual(confirmed);
      expect(await elsewhere((tx) => settings.standing(tx, issuerId))).toBeNull();
      await expect(keep('alone', admin.personId, newId())).rejects.toMatchObject({ code: '23503' });
    });

    it('lets one transaction at a time hold the settings, the first too', async () => {
      expect(await waitsBehind(world, (tx) => settings.lock(tx))).toBe(true);
    });
  });
}
