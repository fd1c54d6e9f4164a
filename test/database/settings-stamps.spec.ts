import { createAutonomyStore } from '#lib/autonomy';
import { createAutomationStore } from '#lib/automation';
import { sqlOf } from '#lib/database';
import { newId, type EnvironmentId, type Tx } from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { postgresWorld } from '../support/postgres-world.js';
import { testKeys, testSeals } from '../support/seals.js';
import { TenantRows } from '../support/tenant-rows.js';
import { definitionText, sampleTool } from '../../libs/registry/tool/src/application/fake-tool.js';
import { sampleRevision } from '../../libs/rules/autonomy/src/application/fake-autonomy.repository.js';
import { sampleSafeTool } from '../../libs/stages/automation/src/application/fake-safe-tool.repository.js';
import { describeSettingsStamps } from '../../libs/evidence/impact/src/application/settings-stamps.contract.js';
import { SqlSettingsStamps } from '../../libs/evidence/impact/src/adapters/sql-settings-stamps.js';

async function open() {
  const world = await postgresWorld();
  const { home, uow } = world;
  const { personId } = home.admin;
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const [{ tools }, { revisions }] = [createToolStore(), createAutonomyStore(testSeals())];
  const { safeTools } = createAutomationStore(testSeals(), testKeys().wrapping);
  const at = await atHome((tx) => tx.now());
  const putTool = (version: number) => {
    const tool = sampleTool('restart', { description: `Version ${String(version)}.` }, version);
    return atHome((tx) => tools.addVersion(tx, tool, definitionText(tool.definition), personId, at + version));
  };
  const putAutonomy = (number: number) => {
    const revision = sampleRevision(`autonomy:\n  mode: ${number === 1 ? 'plan_only' : 'canary_only'}\n`, {
      ...{ number, createdAt: at + number, createdBy: personId },
    });
    return atHome((tx) => revisions.put(tx, revision));
  };
  const entry = sampleSafeTool(home, 'restart');
  return {
    world,
    stamps: new SqlSettingsStamps(),
    moves: {
      'a first tool': () => putTool(1),
      'a later version of it': () => putTool(2),
      'a safe tool': () => atHome((tx) => safeTools.insert(tx, entry)),
      'a safe tool that is taken off': () => atHome((tx) => safeTools.remove(tx, entry, personId, at)),
      'a removed tool': () => atHome((tx) => tools.remove(tx, 'restart', at + 3)),
      'a first autonomy document': () => putAutonomy(1),
      'a later one': () => putAutonomy(2),
      'a further environment': () =>
        new TenantRows(uow, home.tenantId).environment({
          ...{ id: newId<EnvironmentId>(), name: 'sandbox', production: false, version: 1 },
        }),
      'a changed environment': () =>
        atHome((tx) =>
          sqlOf(tx).execute('update environment set version = version + 1 where tenant_id = $1 and id = $2', [
            home.tenantId,
            home.staging.id,
          ]),
        ),
    },
  };
}

describeSettingsStamps('SqlSettingsStamps', open);

it('a stamp names the settings of its tenant alone', async () => {
  const { world, stamps, moves } = await open();
  const elsewhere = () => world.uow.run(world.other.tenantId, (tx) => stamps.present(tx));
  const before = await elsewhere();
  for (const move of Object.values(moves)) await move();
  expect(await elsewhere()).toBe(before);
});
