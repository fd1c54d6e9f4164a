import type { LoggedEvent, LogExporter, LogFollower } from '#lib/kernel';
import { FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeAuditLog } from './fake-audit-log.js';

/** A log with a reader that keeps what it takes; a test makes it fail. */
function followed() {
  const log = fakeAuditLog();
  const { uow, home, followers } = log;
  const outbox = new FakeOutbox(uow);
  const taken: LoggedEvent[] = [];
  let refusal: Error | null = null;
  let poison = '';
  const reader: LogFollower = {
    name: 'reader',
    take: (_, events) => {
      taken.push(...events);
      if (events.some(({ action }) => action === poison)) return Promise.reject(new Error('poison'));
      return refusal === null ? Promise.resolve() : Promise.reject(refusal);
    },
  };
  const follow = log.followedBy(outbox, [reader]);
  return {
    ...log,
    taken,
    told: () => outbox.of(home).map(({ topic, payload }) => ({ topic, payload })),
    failsWith: (error: Error | null) => {
      refusal = error;
    },
    failsAt: (action: string) => {
      poison = action;
    },
    begin: (name = 'reader') => uow.run(home.tenantId, (tx) => followers.begin(tx, name)),
    sequenced: () => log.sequence.execute(home.tenantId),
    due: () => followers.due(home),
    turn: async () => {
      for (const id of followers.due(home)) await follow.execute(home.tenantId, id);
    },
  };
}

describe('a reader that follows the log', () => {
  it('takes each entry once, in the order of the tree, and is woken by the sequencer', async () => {
    const log = followed();
    await log.record({ action: 'before.it_began' });
    await log.sequenced();
    await log.begin();
    await log.record({ action: 'thing.first' });
    await log.record({ action: 'thing.second' });
    expect(log.due()).toEqual([]);
    await log.sequenced();
    const [id] = log.due();
    expect(log.jobs.of(log.home)).toEqual([{ name: 'log.follow', id }]);
    await log.turn();
    expect(log.taken.map(({ action }) => action)).toEqual(['thing.first', 'thing.second']);
    expect(log.taken[0]).toMatchObject({ payload: { n: 1 }, within: [] });
    expect(log.due()).toEqual([]);
  });

  it('takes a long stretch in parts, and asks for its next turn', async () => {
    const log = followed();
    await log.begin();
    for (let n = 0; n < 101; n += 1) await log.record();
    await log.sequenced();
    const before = log.jobs.of(log.home).length;
    await log.turn();
    expect(log.taken).toHaveLength(100);
    expect(log.jobs.of(log.home)).toHaveLength(before + 1);
    await log.turn();
    expect(log.taken).toHaveLength(101);
  });

  it('gets the same entries again after it failed, some seconds later', async () => {
    const log = followed();
    await log.begin();
    await log.record({ action: 'thing.first' });
    await log.sequenced();
    log.failsWith(new Error('full'));
    await expect(log.turn()).rejects.toThrow('full');
    expect(log.due()).toEqual([]);
    log.failsWith(null);
    log.uow.now += 5_000;
    await log.turn();
    expect(log.taken.map(({ action }) => action)).toEqual(['thing.first', 'thing.first']);
    expect(log.due()).toEqual([]);
  });

  it('takes all entries before a bad one, and waits longer after each failure', async () => {
    const log = followed();
    await log.begin();
    for (let n = 0; n < 5; n += 1) await log.record({ action: 'thing.good' });
    await log.record({ action: 'thing.bad' });
    await log.sequenced();
    log.failsAt('thing.bad');
    const waits: number[] = [];
    for (let n = 0; n < 30 && waits.length < 12; n += 1) {
      const before = log.uow.now;
      await log.turn().catch(() => undefined);
      while (log.due().length === 0) log.uow.now += 1_000;
      if (log.uow.now > before) waits.push(log.uow.now - before);
    }
    expect(log.followers.of(log.home)[0]?.position).toEqual({ epoch: 1, index: 5 });
    expect(waits.at(-1)).toBe(600_000);
    // Admins are told once, after about ten minutes.
    expect(log.told()).toEqual([
      { topic: 'log.follower_failing', payload: { follower: 'reader', at: expect.any(String) as string } },
    ]);
    log.failsAt('');
    await log.turn();
    expect(log.due()).toEqual([]);
  });

  it('of another version waits for a process that knows it', async () => {
    const log = followed();
    await log.begin('unknown');
    await log.record();
    await log.sequenced();
    await expect(log.turn()).rejects.toThrow('No reader of the log is called unknown');
    // It stays due for that process, and is said once.
    expect(log.due()).toHaveLength(1);
    await expect(log.turn()).resolves.toBeUndefined();
    expect(log.followers.of(log.home)[0]?.position).toEqual({ epoch: 1, index: 0 });
  });
});

/** A log with an exporter; a test makes it fail, or does something while it sends. */
function exported() {
  const log = fakeAuditLog();
  const { uow, home } = log;
  const outbox = new FakeOutbox(uow);
  const sent: string[] = [];
  let meanwhile = (): Promise<unknown> => Promise.resolve();
  const exporter: LogExporter = {
    name: 'file',
    export: async (_, events) => {
      sent.push(...events.map(({ action }) => action));
      await meanwhile();
    },
  };
  return {
    ...log,
    sent,
    meanwhile: (work: () => Promise<unknown>) => {
      meanwhile = work;
    },
    turn: () => log.exportedBy(outbox, exporter).execute(home.tenantId),
    due: async () => (await log.backlog.unexported('file')).includes(home.tenantId),
    sequenced: async (...actions: readonly string[]) => {
      for (const action of actions) await log.record({ action });
      await log.sequence.execute(home.tenantId);
    },
  };
}

describe('an exporter of the log', () => {
  it('sends it from its first entry on, and each later one', async () => {
    const log = exported();
    await log.sequenced('thing.first');
    await log.turn();
    expect([log.sent, await log.due()]).toEqual([['thing.first'], false]);
    await log.sequenced('thing.second');
    expect(await log.due()).toBe(true);
    await log.turn();
    expect(log.sent).toEqual(['thing.first', 'thing.second']);
  });

  it('sends the same entries again after a crash, and after a failure', async () => {
    const log = exported();
    await log.sequenced('thing.first');
    log.meanwhile(() => Promise.reject(new Error('no space')));
    await expect(log.turn()).rejects.toThrow('no space');
    expect(await log.due()).toBe(false);
    log.uow.now += 5_000;
    log.meanwhile(() => Promise.resolve());
    await log.turn();
    expect(log.sent).toEqual(['thing.first', 'thing.first']);
    await log.turn();
    expect(log.sent).toHaveLength(2);
  });

  it('tries again at once after a failure, if somebody asked for it while it sent', async () => {
    const log = exported();
    await log.sequenced('thing.first');
    log.meanwhile(async () => {
      await log.uow.run(log.home.tenantId, async (tx) => {
        for (const { id } of log.followers.of(log.home)) await log.followers.postpone(tx, id, await tx.now());
      });
      throw new Error('the former server is away');
    });
    await expect(log.turn()).rejects.toThrow('the former server is away');
    expect(await log.due()).toBe(true);
    log.meanwhile(() => Promise.resolve());
    await log.turn();
    expect(await log.due()).toBe(false);
  });

  it('sends in one process at a time, until its lease ends', async () => {
    const log = exported();
    await log.sequenced('thing.first');
    log.meanwhile(async () => {
      log.meanwhile(() => Promise.resolve());
      await log.turn();
      expect(log.sent).toHaveLength(1);
      log.uow.now += 60_000;
      await log.turn();
    });
    await log.turn();
    expect(log.sent).toEqual(['thing.first', 'thing.first']);
    expect(log.followers.of(log.home)[0]?.position).toEqual({ epoch: 1, index: 1 });
  });
});
