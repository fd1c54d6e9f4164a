import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerAfterDeath, CallJournal, type JournalEntry } from './call-journal.js';

const ID = '0198f2a4-7c11-7e1a-9d55-1f2e3d4c5b6a';
const entry: JournalEntry = { id: ID, tool: 'test-run', reads: false, state: 'started', answer: null };

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'countersign-journal-')), 'journal');
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

describe('the journal of a runner', () => {
  it('has after a restart the calls that were not reported, in the state that they reached', async () => {
    const journal = await CallJournal.open(folder);
    await journal.write({ ...entry, state: 'taken' });
    await journal.write(entry);
    expect((await CallJournal.open(folder)).held).toEqual([entry]);
    await journal.remove(ID);
    expect((await CallJournal.open(folder)).held).toEqual([]);
  });

  it('holds a call at once, before the disk has it, and for its owner alone', async () => {
    const journal = await CallJournal.open(folder);
    const written = journal.write(entry);
    expect(journal.has(ID)).toBe(true);
    await written;
    expect(statSync(join(folder, `${ID}.json`)).mode & 0o777).toBe(0o600);
  });
});

describe('the answer to a call if its process died', () => {
  const answer = { ok: true, result: {} } as const;

  it.each<[string, Partial<JournalEntry>, object]>([
    ['unknown if it had started', {}, { ok: false, effect: 'unknown', error: { code: 'runner.died' } }],
    [
      'that nothing happened if it had not',
      { state: 'taken' },
      { effect: 'not_started', error: { code: 'runner.restarted' } },
    ],
    [
      'that nothing happened if it reads',
      { reads: true },
      { effect: 'not_started', error: { code: 'runner.restarted' } },
    ],
    ['the answer that it had', { state: 'ended', answer }, answer],
  ])('is %s', (_what, changes, expected) => {
    expect(answerAfterDeath({ ...entry, ...changes })).toMatchObject(expected);
  });
});
