import { AsyncLocalStorage } from 'node:async_hooks';
import OneRealmEnvironment from '../support/one-realm-environment.mjs';

describe('the realm that test files share', () => {
  const before = { exit: process.exit, path: process.env.PATH };

  it('has at the end of a file what it had before', async () => {
    const environment = new OneRealmEnvironment();
    Object.assign(globalThis, { left: 1 });
    process.exit = () => undefined as never;
    process.env.PATH = '';
    process.env.LEFT = '1';
    process.on('SIGUSR2', () => undefined);

    await environment.teardown();

    expect([Reflect.get(globalThis, 'left'), process.env.LEFT]).toEqual([undefined, undefined]);
    expect([process.exit, process.env.PATH]).toEqual([before.exit, before.path]);
    expect(process.listenerCount('SIGUSR2')).toBe(0);
  });

  it('keeps no storage of a file enabled, since each slows down every promise of later files', async () => {
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('of this file');

    await new OneRealmEnvironment().teardown();

    expect(storage.getStore()).toBeUndefined();
  });
});
