import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { SessionFolders } from './session-folders.js';

const base = mkdtempSync(join(tmpdir(), 'countersign-sessions-'));
afterAll(() => {
  rmSync(base, { recursive: true });
});

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;
const call = { source: { type: 'tool_call', id: 'c1' } } as const;

describe('the folders of sessions', () => {
  it('are one for each session or run, for their owner alone', async () => {
    const folders = new SessionFolders(join(base, 'a'));
    const one = await folders.of({ ...call, session: 's1' }, NOW);
    expect(await folders.of({ source: { type: 'tool_call', id: 'c2' }, session: 's1' }, NOW)).toBe(one);
    const names = [one, await folders.of(call, NOW), await folders.of({ source: { type: 'run', id: 'r1' } }, NOW)];
    expect(names.map((path) => basename(path))).toEqual(['session-s1', 'tool_call-c1', 'run-r1']);
    expect(statSync(one).mode & 0o777).toBe(0o700);
  });

  it('lie below their own folder, whatever the name', async () => {
    const own = await new SessionFolders(join(base, 'b')).of({ ...call, session: '../../x' }, NOW);
    expect(own).toBe(join(base, 'b', 'session-______x'));
  });

  it('go with sessions that have ended, and Countersign is asked of those used last', async () => {
    const folders = new SessionFolders(join(base, 'd'));
    const id = (at: number): string => `0198f2a4-7c11-7e1a-9d55-${String(at).padStart(12, '0')}`;
    for (let at = 0; at < 70; at++) await folders.of({ ...call, session: id(at) }, NOW + at * 1_000);
    await folders.of({ ...call, session: 'no-uuid' }, NOW + 100_000);
    await folders.of(call, NOW);
    const named = await folders.sessions();
    expect([named.length, named[0], named.at(-1)]).toEqual([64, id(69), id(6)]);
    await folders.remove([id(69), id(3), id(99)]);
    const left = readdirSync(join(base, 'd'));
    expect([left.length, left.includes(`session-${id(69)}`), left.includes('tool_call-c1')]).toEqual([70, false, true]);
  });

  it('go a day after their last use, with all that is in them', async () => {
    const folders = new SessionFolders(join(base, 'c'));
    writeFileSync(join(await folders.of({ ...call, session: 'old' }, NOW), 'index'), '');
    await folders.of({ ...call, session: 'old' }, NOW);
    await folders.of({ ...call, session: 'used' }, NOW);
    await folders.of({ ...call, session: 'used' }, NOW + 1_000);
    await folders.sweep(NOW + DAY_MS);
    expect(readdirSync(join(base, 'c'))).toEqual(['session-old', 'session-used']);
    // The first call of an hour sweeps, too.
    await folders.of({ ...call, session: 'new' }, NOW + DAY_MS + 500);
    expect(readdirSync(join(base, 'c'))).toEqual(['session-new', 'session-used']);
  });
});
