import { originOf } from '#lib/verifier';
import type { CheckpointPublisher, PublicationAnswer } from './audit.ports.js';
import { fakeAuditLog } from './fake-audit-log.js';

const REFUSED = 'audit_checkpoint.publication_refused';

/** A log with a signed entry. */
async function publishing(elsewhere = true) {
  const log = fakeAuditLog();
  const { home } = log;
  const sent: unknown[] = [];
  const outside: { answers: () => Promise<PublicationAnswer> } = {
    answers: () => Promise.resolve({ outcome: 'published' }),
  };
  const publisher: CheckpointPublisher = {
    elsewhere,
    publish: (origin, treeSize, note) => {
      sent.push({ origin, treeSize, note });
      return outside.answers();
    },
  };
  const publish = log.publishTo(publisher);
  const grow = async (): Promise<void> => {
    await log.record();
    await log.sequence.execute(home.tenantId);
  };
  await grow();
  return {
    ...log,
    outside,
    sent,
    grow,
    publish: () => publish.execute(home.tenantId),
    isBehind: async () => (await log.backlog.unpublished()).includes(home.tenantId),
  };
}

describe('a checkpoint', () => {
  it.each([true, false])('is published once, and tells whether it left the server: %s', async (elsewhere) => {
    const log = await publishing(elsewhere);
    const before = await log.latest();
    expect(before).toMatchObject({ publishedAt: null, publishedElsewhere: false });
    expect(await log.publish()).toBe('published');
    expect(log.sent).toEqual([{ origin: originOf(log.home.tenantId, 1), treeSize: 1, note: before?.note }]);
    expect(await log.latest()).toMatchObject({ publishedAt: log.uow.now, publishedElsewhere: elsewhere });
    expect([await log.publish(), log.sent.length, await log.isBehind()]).toEqual(['nothing_new', 1, false]);
  });

  it('is published in the place of those that are smaller', async () => {
    const log = await publishing();
    await log.grow();
    expect(await log.publish()).toBe('published');
    expect(log.sent).toMatchObject([{ treeSize: 2 }]);
    expect(await log.isBehind()).toBe(false);
  });

  it('waits if its destination cannot be reached', async () => {
    const log = await publishing();
    log.outside.answers = () => Promise.reject(new Error('away'));
    await expect(log.publish()).rejects.toThrow('away');
    expect([await log.isBehind(), await log.recorded(REFUSED)]).toEqual([true, []]);
  });

  it.each(['behind', 'fork'] as const)(
    'T30: is critical and not published if the outside holds more: %s',
    async (outcome) => {
      const log = await publishing();
      const note = (await log.latest())?.note ?? '';
      const held = note.replace(/\n1\n/, '\n7\n');
      log.outside.answers = () => Promise.resolve({ outcome, held });
      expect(await log.publish()).toBe('refused');
      expect(await log.recorded(REFUSED)).toMatchObject([
        {
          ...{ level: 'critical', subject: { type: 'audit_epoch', id: '1' } },
          payload: { why: outcome, ours: note, held_outside: held },
        },
      ]);
      expect(await log.isBehind()).toBe(true);
    },
  );

  it('T30: is critical if the outside holds another root for a size of ours, or another log', async () => {
    const log = await publishing();
    const note = (await log.latest())?.note ?? '';
    const [origin = '', , root = ''] = note.split('\n');
    const otherRoot = Buffer.from(Buffer.from(root, 'base64').map((byte) => byte ^ 1)).toString('base64');
    const otherOrigin = originOf(log.other.tenantId, 1);
    for (const held of [note.replace(root, otherRoot), note.replace(origin, otherOrigin), 'not a checkpoint']) {
      log.outside.answers = () => Promise.resolve({ outcome: 'fork', held });
      expect(await log.publish()).toBe('refused');
    }
    expect(await log.recorded(REFUSED)).toHaveLength(3);
  });

  it('is no alarm if another worker was quicker with a larger one of the same log', async () => {
    const log = await publishing();
    log.outside.answers = async () => {
      await log.grow();
      return { outcome: 'behind', held: (await log.latest())?.note ?? '' };
    };
    expect(await log.publish()).toBe('nothing_new');
    expect(await log.recorded(REFUSED)).toEqual([]);
  });

  it('is nothing before the first entry is signed', async () => {
    const { publishTo, home } = fakeAuditLog();
    const publisher: CheckpointPublisher = { elsewhere: true, publish: () => Promise.reject(new Error('asked')) };
    expect(await publishTo(publisher).execute(home.tenantId)).toBe('nothing_new');
  });
});
