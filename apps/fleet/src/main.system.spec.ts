import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledPackage } from '../../../test/support/compiled-package.js';

describe('a fleet that cannot be started', () => {
  const main = join(compiledPackage(), 'dist', 'programs', 'fleet', 'main.js');
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fleet-'));
  const taken = createServer();
  let port = '';

  beforeAll(async () => {
    await once(taken.listen(0, '127.0.0.1'), 'listening');
    port = String((taken.address() as AddressInfo).port);
  });

  afterAll(() => {
    taken.close();
    rmSync(folder, { recursive: true });
  });

  const start = (...options: string[]) =>
    spawnSync(process.execPath, [main, '--ledger', join(folder, 'ledger.jsonl'), ...options], { encoding: 'utf8' });

  it.each([
    ['fleet.usage', ['--nope']],
    ['fleet.address_invalid', ['--countersign', 'nowhere']],
    ['fleet.port_invalid', ['--countersign', 'http://127.0.0.1:1', '--port', 'none']],
    ['fleet.ledger_unusable', ['--countersign', 'http://127.0.0.1:1', '--ledger', '/']],
  ])('says %s, and the action to take', (code, options) => {
    const { status, stderr } = start(...options);
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^error: .+ \\(${code}\\)\n {2}\\S.+\n$`));
  });

  it('says which port is taken', () => {
    const { status, stderr } = start('--countersign', 'http://127.0.0.1:1', '--port', port);
    expect(status).toBe(2);
    expect(stderr).toContain(`127.0.0.1:${port} (EADDRINUSE). (fleet.cannot_listen)`);
  });
});
