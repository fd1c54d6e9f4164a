import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runnerWorld, type RunnerWorld } from '../support/runner-world.js';

let world: RunnerWorld;
beforeAll(async () => {
  world = await runnerWorld();
}, 120_000);
afterAll(() => world.close());

describe('a runner', () => {
  it('carries out the steps of a plan, and shows its tools by name and schema', async () => {
    const { id, folder, process } = await world.started('build-01');
    expect(statSync(join(folder.data, 'key.json')).mode & 0o777).toBe(0o600);
    const run = await world.run(
      { tool: 'file-write', arguments: { path: 'notes/a.txt', content: 'one\n' } },
      { tool: 'file-edit', arguments: { path: 'notes/a.txt', old_text: 'one', new_text: 'two' } },
    );
    const ended = await world.until(run, (body) => body.finished_at !== null);
    expect(ended).toMatchObject({ state: 'completed' });
    expect(readFileSync(join(folder.root, 'notes/a.txt'), 'utf8')).toBe('two\n');
    const seen = await world.untilRunner(id, 'online');
    expect(seen.pool).toBe('builders');
    const advertised = seen.tools as Record<string, unknown>[];
    expect(advertised.map(({ name }) => name)).toContain('terminal-run');
    expect(new Set(advertised.flatMap((tool) => Object.keys(tool)))).toEqual(new Set(['name', 'parameters']));
    expect(await process.terminate()).toBe(0);
  }, 60_000);
});
