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
