import { CheckAgainstOutside } from './check-against-outside.js';
import { fakeAuditLog } from './fake-audit-log.js';

/** A log of two signed entries, and a destination outside. */
async function guarded() {
  const log = fakeAuditLog();
  const { uow, home, tree, checkpoints, sequence } = log;
  const grow = async (): Promise<string> => {
    await log.record();
    await sequence.execute(home.tenantId);
    return (await log.latest())?.note ?? '';
  };
  const notes = [await grow(), await grow()];
  const outside = { held: (): Promise<string | null> => Promise.resolve(null), of: '/1' };
  const destination = {
    held: (origin: string) => (origin.endsWith(outside.of) ? outside.held() : Promise.resolve(null)),
  };
  const check = new CheckAgainstOutside(uow, tree, checkpoints, [destination]);
  return { notes, outside, check: () => check.execute(home.tenantId) };
}

const ofSize = (note: string, size: number): string => note.replace(/\n\d+\n/, `\n${String(size)}\n`);

describe('T57: a log beside its published checkpoints', () => {
  it('goes on if nothing stands outside, or its own checkpoint, also an earlier one', async () => {
    const log = await guarded();
    await log.check();
    for (const note of log.notes) {
      log.outside.held = () => Promise.resolve(note);
      await log.check();
    }
  });

  it.each([
    ['the outside holds more', (notes: readonly string[]) => ofSize(notes[1] ?? '', 7)],
    ['it grew again beyond the end that it lost', (notes: readonly string[]) => ofSize(notes[1] ?? '', 1)],
    ['the outside holds no checkpoint', () => 'nonsense'],
    ['the outside holds another log', (notes: readonly string[]) => (notes[1] ?? '').replace('countersign', 'other')],
  ])('does not go on if %s', async (_what, held) => {
    const log = await guarded();
    log.outside.held = () => Promise.resolve(held(log.notes));
    await expect(log.check()).rejects.toMatchObject({ failure: { code: 'audit.log_shortened' } });
  });

  it('does not go on if the next epoch stands outside, since its start is lost', async () => {
    const log = await guarded();
    log.outside.of = '/2';
    log.outside.held = () => Promise.resolve(ofSize(log.notes[0] ?? '', 1).replace('/1\n', '/2\n'));
    await expect(log.check()).rejects.toMatchObject({ failure: { code: 'audit.log_shortened' } });
  });

  it('does not go on if the destination outside cannot be asked', async () => {
    const log = await guarded();
    log.outside.held = () => Promise.reject(new Error('away'));
    await expect(log.check()).rejects.toMatchObject({ failure: { code: 'audit.outside_unreachable' } });
  });
});
