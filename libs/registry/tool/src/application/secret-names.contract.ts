import type { Tx } from '#lib/kernel';
import type { SecretBinding } from '#lib/tenancy';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SecretNames } from './tool.ports.js';

/** The names of secrets, and a way to keep a secret of the tenant `home`. */
interface NamesOpened {
  readonly world: ContractWorld;
  readonly names: SecretNames;
  /** Keeps all versions up to this one, with one binding, or none. */
  keep(name: string, version: number, binding: SecretBinding | null): Promise<void>;
}

/** The contract of a reader of secrets' names. */
export function describeSecretNames(name: string, open: () => Promise<NamesOpened>): void {
  describe(`${name} keeps the contract of SecretNames`, () => {
    let world: ContractWorld;
    let names: SecretNames;
    const bound: SecretBinding = {
      purpose: 'tool_arguments',
      executors: ['production/fleet'],
      environments: ['staging'],
      tools: ['restart'],
    };
    beforeAll(async () => {
      const opened = await open();
      ({ world, names } = opened);
      await opened.keep('bound', 2, bound);
      await opened.keep('free', 1, null);
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);

    it('knows the bindings of those that exist, version by version', async () => {
      const wanted = ['bound@1', 'bound@2', 'bound@2', 'free@1', 'bound@3', 'free@2', 'never@1', 'free', 'free@one'];
      expect(await atHome((tx) => names.bindings(tx, wanted))).toEqual(
        new Map([
          ['bound@1', bound],
          ['bound@2', bound],
          ['free@1', null],
        ]),
      );
      expect(await atHome((tx) => names.bindings(tx, []))).toEqual(new Map());
    });

    it('knows none of another tenant', async () => {
      const elsewhere = world.uow.run(world.other.tenantId, (tx) => names.bindings(tx, ['bound@1', 'free@1']));
      expect(await elsewhere).toEqual(new Map());
    });
  });
}
