import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationName } from '../../apps/worker/src/installation-name.js';
import { newHost, phase, step } from '../../libs/stages/run/src/fake-run-documents.js';
import { runWorld } from '../support/run-world.js';
import { keepTestKeyring } from '../support/seals.js';
import { packageWithTemporal, startTemporal } from '../support/temporal-server.js';
import { BUILT_WITHIN_MS } from '../support/through-temporal.js';
import { toolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { startWorkerProcess } from '../support/worker-process.js';

it(
  'a worker reaches a Temporal server that wants a certificate of it, under the name in the server’s own',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'countersign-temporal-tls-'));
    const temporal = await startTemporal({ mutualTls: true });
    const tools = await toolServer({ before: () => true });
    keepTestKeyring(data);
    const world = await runWorld({ toolServer: tools.url, hints: true });
    const worker = await startWorkerProcess(
      {
        ...temporal.settings,
        DATABASE_URL: world.db.url,
        COUNTERSIGN_DATA: data,
        COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
      },
      packageWithTemporal(temporal),
    );
    const { id } = await world.queued({ phases: [phase('all', [newHost()], [step('deploy')])] });
    await until(async () => (await world.run(id)).state === 'completed' || null);
    expect(
      (await temporal.workflow(`${id}.${await installationName(world.db.systemQuery)}`))?.priority.fairnessKey,
    ).toBe(world.tenantId);

    await worker.kill();
    await world.close();
    await tools.close();
    await temporal.stop();
    rmSync(data, { recursive: true, force: true });
  },
  BUILT_WITHIN_MS,
);
