import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { newReport } from '../application/ask-impact.js';
import { describeImpactFindings } from '../application/impact-findings.contract.js';
import { NO_FINDINGS } from '../application/impact-findings.js';
import { createImpact, createImpactStore } from '../create-impact.js';
import { NO_GROUPS, type GroupKind } from '../domain/groups.js';
import { SqlImpactFindings } from './sql-impact-findings.js';

const NOW = Date.UTC(2025, 5, 1);
const NOTHING = { tools: {}, environments: {}, safeTools: {} };
const unread = () => {
  throw new Error('a report in the store asks for nothing else');
};
const rows = createImpactStore({
  ...{ autonomy: { current: unread }, tools: { list: unread } },
  ...{ environments: { list: unread }, safeTools: { list: unread } },
});
const { reports } = rows;

async function openWorld() {
  const world = await postgresWorld();
  const newReportId = async () => {
    const report = newReport(world.home.admin.personId, NOW, 30, { change: NOTHING });
    await world.uow.run(world.home.tenantId, (tx) => reports.insert(tx, report));
    return report.id;
  };
  return { world, findings: new SqlImpactFindings(), newReport: newReportId };
}

describeImpactFindings('SqlImpactFindings', openWorld);

const cell = { tool: 'wipe', environment: 'live', mode: 'full_auto', inForce: true } as const;
const becomes = { from: 'deny', to: 'allow', gains: ['looser'], what: [] } as const;
const kind: GroupKind = {
  ...{ entrypoint: 'tool_call', stage: null, environment: 'live', tools: [], agent: null },
  ...{ from: 'deny', to: 'allow', change: 'loosens', what: [], rules: { come: [], go: [], otherwise: [] } },
};
const example = { decision: 'd', at: 1, subject: { type: 'tool_call', id: 'c' }, within: [] };
const found = {
  cells: [{ ...cell, ...becomes }],
  groups: [{ kind, count: 1, estimate: 1, examples: [example] }],
};

describe('the store of findings', () => {
  it('reads findings with their report as of one moment, also if a batch ends meanwhile', async () => {
    const { world, findings, newReport: kept } = await openWorld();
    const id = await kept();
    const by = world.home.admin;
    let batches = 0;
    const groups = findings.groups.bind(findings);
    // Between the report and its groups a batch is committed.
    jest.spyOn(findings, 'groups').mockImplementation(async (...asked) => {
      await world.uow.run(by.tenantId, (tx) => findings.add(tx, id, batches === 0 ? found : NO_FINDINGS));
      batches += 1;
      return groups(...asked);
    });
    const { readImpact: reading } = createImpact({
      ...{ uow: world.uow, rows: { ...rows, findings }, jobs: { enqueue: unread }, outbox: { write: unread } },
      policy: { bundleRevision: 'any', evaluate: unread },
      ...{ changes: { waiting: unread }, census: { count: unread } },
    });
    expect(await reading.one(by, id)).toMatchObject({ value: { groups: NO_GROUPS, cells: [] } });
    expect(await reading.one(by, id)).toMatchObject({ value: { groups: { found: 1 }, cells: [{ tool: 'wipe' }] } });
    await world.close();
  });

  it('forgets the findings of a report together with it', async () => {
    const { world, findings, newReport: kept } = await openWorld();
    const id = await kept();
    await world.uow.run(world.home.tenantId, async (tx) => {
      await findings.add(tx, id, found);
      expect((await findings.groups(tx, id)).found).toBe(1);
      await reports.drop(tx, NOW + 1);
      expect(await findings.groups(tx, id)).toEqual(NO_GROUPS);
      expect(await findings.cells(tx, id, { limit: 9, after: null })).toEqual([]);
    });
    await world.close();
  });

  it.each([
    ['impact_cell', 'cell', '{"from": "deny", "to": "perhaps", "gains": [], "what": []}'],
    ['impact_group', 'kind', '{"change": "mixed", "environment": "hidden"}'],
    ['impact_group', 'examples', '[{"decision": 7}]'],
  ] as const)('refuses a row of %s with a %s of another shape', async (table, column, value) => {
    const { world, findings, newReport: kept } = await openWorld();
    const id = await kept();
    const { tenantId } = world.home;
    await world.uow.run(tenantId, (tx) => findings.add(tx, id, found));
    await world.db.owner.query(`update ${table} set ${column} = $2 where report_id = $1`, [id, value]);
    const reading = world.uow.run<unknown>(tenantId, (tx) =>
      table === 'impact_cell' ? findings.cells(tx, id, { limit: 9, after: null }) : findings.groups(tx, id),
    );
    const details = { table, column, id };
    await expect(reading).rejects.toMatchObject({ failure: { code: 'record.malformed', kind: 'internal', details } });
    await world.close();
  });
});
