import type { ImpactReportId, Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { MAX_KEPT, MAX_LISTED, MAX_PARTS, NO_GROUPS, type GroupKind, type ImpactGroup } from '../domain/groups.js';
import type { LatticeCell } from '../domain/lattice.js';
import { NO_FINDINGS, type Findings, type ImpactFindings } from './impact-findings.js';

const kind: GroupKind = {
  entrypoint: 'tool_call',
  stage: null,
  environment: 'live',
  tools: ['restart'],
  agent: 'bot',
  from: 'deny',
  to: 'allow',
  change: 'loosens',
  what: ['outcome: deny becomes allow'],
  rules: { come: [{ rule: 'r', code: 'a.code' }], go: [], otherwise: [{ rule: 's', asks: 'mfa' }] },
};
const example = (number: number) => ({
  decision: `decision-${String(number)}`,
  at: number,
  subject: { type: 'tool_call', id: 'call' },
  within: [{ type: 'session', id: 'session' }],
});
const group = (about: Partial<GroupKind>, count: number, estimate = count, first = 0): ImpactGroup => ({
  kind: { ...kind, ...about },
  count,
  estimate,
  examples: Array.from({ length: Math.min(5, count) }, (_, index) => example(first + index)),
});
const cell = (tool: string, environment: string, inForce: boolean, mode: LatticeCell['mode']): LatticeCell => ({
  ...{ tool, environment, inForce, mode },
  ...{ from: 'deny', to: 'allow', gains: ['looser', 'always_allowed'], what: ['outcome: deny becomes allow'] },
});

/** The contract of the findings of impact reports. @param newReport keeps a report, to which findings belong. */
export function describeImpactFindings(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly findings: ImpactFindings;
    readonly newReport: () => Promise<ImpactReportId>;
  }>,
): void {
  describe(`${name} keeps the contract of ImpactFindings`, () => {
    let world: ContractWorld;
    let findings: ImpactFindings;
    let report: ImpactReportId;
    let other: ImpactReportId;
    beforeEach(async () => {
      const opened = await open();
      ({ world, findings } = opened);
      [report, other] = [await opened.newReport(), await opened.newReport()];
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const add = (found: Partial<Findings>, to = report): Promise<void> =>
      atHome((tx) => findings.add(tx, to, { ...NO_FINDINGS, ...found }));
    const groups = (of = report) => atHome((tx) => findings.groups(tx, of));

    it('lists the cells of a report page by page, those in force first', async () => {
      const sorted = [
        cell('restart', 'live', true, 'full_auto'),
        cell('wipe', 'live', true, 'full_auto'),
        cell('wipe', 'staging', true, 'full_auto'),
        cell('restart', 'live', false, 'canary_only'),
        cell('restart', 'live', false, 'plan_only'),
      ];
      await add({ cells: sorted.slice(2) });
      await add({ cells: sorted.slice(0, 2) });
      await add({ cells: sorted }, other);
      const page = (after: LatticeCell | null, limit: number) =>
        atHome((tx) => findings.cells(tx, report, { after, limit }));
      const first = await page(null, 2);
      expect([...first, ...(await page(first.at(-1) ?? null, 9))]).toEqual(sorted);
      expect(await elsewhere((tx) => findings.cells(tx, report, { after: null, limit: 9 }))).toEqual([]);
      await atHome((tx) => findings.drop(tx, report));
      expect(await page(null, 9)).toEqual([]);
      expect(await atHome((tx) => findings.cells(tx, other, { after: null, limit: 9 }))).toEqual(sorted);
    });

    it('adds the groups of a batch to those of their kind, and keeps the first examples', async () => {
      await add({ groups: [group({}, 3, 6), group({ agent: null }, 1)] });
      await add({ groups: [group({}, 4, 8, 10), group({ what: [] }, 2)] });
      await add({ groups: [group({}, 1)] }, other);
      expect(await groups()).toMatchObject({
        found: 3,
        listed: [
          { kind, count: 7, estimate: 14, examples: [0, 1, 2, 10, 11].map(example) },
          { kind: { ...kind, what: [] }, count: 2 },
          { kind: { ...kind, agent: null }, count: 1 },
        ],
      });
      expect(await elsewhere((tx) => findings.groups(tx, report))).toEqual(NO_GROUPS);
      await atHome((tx) => findings.drop(tx, report));
      expect(await groups()).toEqual(NO_GROUPS);
      expect((await groups(other)).found).toBe(1);
    });

    it('counts by environment, tool and agent, the largest first', async () => {
      await add({
        groups: [
          group({ tools: ['restart', 'wipe'] }, 1, 2.5),
          group({ change: 'tightens', environment: 'staging' }, 4),
          group({ change: 'mixed', environment: null, agent: null }, 2),
        ],
      });
      expect((await groups()).by).toEqual({
        environment: {
          found: 2,
          listed: [
            { name: 'staging', changed: 4, looser: 0, changedEstimate: 4, looserEstimate: 0 },
            { name: 'live', changed: 1, looser: 1, changedEstimate: 2.5, looserEstimate: 2.5 },
          ],
        },
        tool: {
          found: 2,
          listed: [
            { name: 'restart', changed: 7, looser: 3, changedEstimate: 8.5, looserEstimate: 4.5 },
            { name: 'wipe', changed: 1, looser: 1, changedEstimate: 2.5, looserEstimate: 2.5 },
          ],
        },
        agent: {
          found: 1,
          listed: [{ name: 'bot', changed: 5, looser: 1, changedEstimate: 6.5, looserEstimate: 2.5 }],
        },
      });
    });

    it('counts every group that it keeps, and lists the largest', async () => {
      const many = MAX_LISTED + 12;
      await add({ groups: Array.from({ length: many }, (_, index) => group({ agent: String(index) }, index + 1)) });
      const { listed, found, by, counted } = await groups();
      expect(found).toBe(many);
      const all = (many * (many + 1)) / 2;
      expect(counted).toEqual({ count: all, estimate: all, looser: all, looserEstimate: all });
      expect(listed.map(({ count }) => count)).toEqual(Array.from({ length: MAX_LISTED }, (_, index) => many - index));
      expect(by.environment.listed).toMatchObject([{ name: 'live', changed: (many * (many + 1)) / 2 }]);
      expect(by.agent.found).toBe(many);
      expect(by.agent.listed.map(({ changed }) => changed)).toEqual(
        Array.from({ length: MAX_PARTS }, (_, index) => many - index),
      );
    });

    it('keeps groups of the first kinds alone, and goes on to count these', async () => {
      const kinds = (from: number, many: number): readonly ImpactGroup[] =>
        Array.from({ length: many }, (_, index) => group({ agent: String(from + index) }, 1));
      await add({ groups: kinds(0, MAX_KEPT - 1) });
      await add({ groups: [...kinds(0, 1), ...kinds(MAX_KEPT - 1, 5), ...kinds(1, 1)] });
      await add({ groups: kinds(MAX_KEPT - 2, 9) });
      const { found, counted, by } = await groups();
      expect([found, counted, by.agent.found]).toEqual([
        MAX_KEPT,
        { count: MAX_KEPT + 4, estimate: MAX_KEPT + 4, looser: MAX_KEPT + 4, looserEstimate: MAX_KEPT + 4 },
        MAX_KEPT,
      ]);
    });

    it('keeps a kind that loosens, however many tighten before it', async () => {
      const tighter = Array.from({ length: MAX_KEPT + 1 }, (_, index) =>
        group({ agent: String(index), change: 'tightens' }, 1),
      );
      await add({ groups: tighter.slice(0, MAX_KEPT) });
      await add({ groups: [...tighter.slice(MAX_KEPT), group({ change: 'mixed' }, 9_999)] });
      const { found, listed, counted, by } = await groups();
      expect([found, listed[0]]).toMatchObject([MAX_KEPT + 1, { kind: { change: 'mixed' }, count: 9_999 }]);
      const all = MAX_KEPT + 9_999;
      expect(counted).toEqual({ count: all, estimate: all, looser: 9_999, looserEstimate: 9_999 });
      expect(by.environment.listed).toMatchObject([{ changed: all, looser: 9_999 }]);
    });
  });
}
