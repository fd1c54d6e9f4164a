import { AsyncLocalStorage } from 'node:async_hooks';
import OneRealmEnvironment from '../support/one-realm-environment.mjs';

/** The global of `expect`, which a worker loads once: its matchers, and the counts of the test that runs. */
const OF_EXPECT = Symbol.for('$$jest-matchers-object');

describe('the realm that test files share', () => {
  const before = { exit: process.exit, path: process.env.PATH };

  it('has the same globals at the end of a file as before', async () => {
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

  it('leaves the global of expect to every file of the worker, since it cannot be deleted', async () => {
    const before = Object.getOwnPropertyDescriptor(globalThis, OF_EXPECT);
    await new OneRealmEnvironment().teardown();
    expect(Object.getOwnPropertyDescriptor(globalThis, OF_EXPECT)).toEqual(before);
    expect(before).toMatchObject({ configurable: false, writable: false });
  });

  it('keeps no storage of a file enabled, since each slows down every promise of later files', async () => {
    const environment = new OneRealmEnvironment();
    const storage = new AsyncLocalStorage<string>();
    storage.enterWith('of this file');

    await environment.teardown();

    expect(storage.getStore()).toBeUndefined();
  });

  it("empties jest's facts about a test, since a timer or socket of the test keeps them", async () => {
    const environment = new OneRealmEnvironment();
    const told = { test: { asyncError: new Error('where the test stands') } };
    const own = { test: 'of this file' };
    for (const store of [told, own]) new AsyncLocalStorage().run(store, () => undefined);

    await environment.teardown();

    expect([told, own]).toEqual([{}, { test: 'of this file' }]);
  });

  it('looks up the sources of own frames alone, since a stack has dozens of others', async () => {
    const formatted: string[] = [];
    const format = Error.prepareStackTrace;
    Error.prepareStackTrace = (error, frames) => {
      for (const frame of frames) formatted.push(frame.getFileName() ?? '');
      return `${error.message}${frames.map(() => '\n    at an own frame').join('')}`;
    };
    const ofJest = Error.prepareStackTrace;
    const environment = new OneRealmEnvironment();
    await environment.setup();
    const lines = jest.fn(() => new Error('made here').stack?.split('\n') ?? [])();
    await environment.teardown();
    const after = Error.prepareStackTrace;
    Error.prepareStackTrace = format;

    expect(lines.slice(0, 2)).toEqual(['made here', '    at an own frame']);
    expect(lines.join()).toMatch(/ at .*\/node_modules\/jest-mock\/.*:\d+:\d+/);
    expect(formatted).toContain(__filename);
    expect(formatted.filter((path) => path.includes('/node_modules/'))).toEqual([]);
    expect(after).toBe(ofJest);
  });

  it('holds an AsyncLocalStorage as Node made it', async () => {
    const { run, enterWith } = AsyncLocalStorage.prototype;
    await new OneRealmEnvironment().teardown();
    expect([AsyncLocalStorage.prototype.run, AsyncLocalStorage.prototype.enterWith]).toEqual([run, enterWith]);
  });
});
