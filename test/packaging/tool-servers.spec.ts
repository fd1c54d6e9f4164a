import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { simulationResultSchema, toolCallRequestSchema, toolCallResponseSchema } from '#lib/formats';
import { judgeHealth } from '../../libs/stages/run/src/domain/judge-health.js';
import { compiledPackage } from '../support/compiled-package.js';

const TENANT = '01978f5e-0000-7000-8000-000000000001';
const guide = readFileSync('docs/tools.md', 'utf8');

/** The code of the guide's blocks of one kind. */
const blocks = (kind: string): string[] =>
  [...guide.matchAll(/^```(.+)\n([^]*?)^```$/gm)].flatMap(([, info, code = '']) => (info === kind ? [code] : []));

describe('the guide to tool servers', () => {
  it.each<[string, number, z.ZodType]>([
    ['request', 1, toolCallRequestSchema],
    ['response', 2, toolCallResponseSchema],
    ['simulation', 1, simulationResultSchema],
  ])('shows a %s as it is', (kind, count, schema) => {
    const shown = blocks(`json ${kind}`);
    expect(shown).toHaveLength(count);
    for (const text of shown) expect(schema.safeParse(JSON.parse(text))).toMatchObject({ success: true });
  });

  it('shows a result that its rollback condition can be asked of', () => {
    const [, condition = ''] = /`rollback_if: ([^`]+)`/.exec(guide) ?? [];
    const results = new Map(blocks('json result').map((text) => ['web', JSON.parse(text) as never]));
    expect(judgeHealth(condition, results).verdict).toBe('healthy');
  });

  describe('its server', () => {
    const folder = compiledPackage();
    const file = join(folder, `tool-server-${String(process.pid)}.mjs`);
    let server: ChildProcess;
    let address = '';

    beforeAll(async () => {
      writeFileSync(file, blocks('js').join('\n'));
      const environment = { PORT: '0', COUNTERSIGN_ISSUER: 'http://127.0.0.1:9', COUNTERSIGN_TENANT: TENANT };
      server = spawn(process.execPath, [file], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
      if (server.stdout === null) throw new Error('the server has no output');
      const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
      address = `http://127.0.0.1:${line.replace('port ', '')}`;
    });

    afterAll(() => {
      server.kill();
      rmSync(file);
    });

    it('does nothing without a grant', async () => {
      const [body] = blocks('json request');
      const answer = await fetch(address, { method: 'POST', body: body ?? '' });
      expect([answer.status, await answer.json()]).toEqual([403, expect.objectContaining({ code: 'grant.missing' })]);
      const forged = await fetch(address, {
        method: 'POST',
        body: body ?? '',
        headers: { 'countersign-grant': 'e30' },
      });
      expect([forged.status, await forged.json()]).toEqual([403, expect.objectContaining({ code: 'grant.invalid' })]);
      expect((await fetch(address, { method: 'POST', body: '{' })).status).toBe(400);
    });
  });
});
