import { AsyncLocalStorage } from 'node:async_hooks';
import { newId, type AuditEntryId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ExportAuditEntries } from './export-audit.js';
import type { AuditEntryPage, AuditEntryView } from './read-audit.js';

const FILTER = { action: 'thing.done' };
const entry = (payload: string): AuditEntryView => ({ header: {} as never, payload });
const [ONE, TWO] = [entry('one'), entry('two')];
const cursor = (occurredAt: number) => ({ occurredAt, id: newId<AuditEntryId>() });
const [NEXT, AFTER] = [cursor(2), cursor(1)];

/** An export of at most 3 entries, of a log in which the filter finds `found`, listed in these pages. */
function exporting(found: number, ...pages: readonly AuditEntryPage[]) {
  const { uow, home } = fakeWorld();
  const asked: unknown[] = [];
  const reads = new AsyncLocalStorage<number>();
  let begun = 0;
  const within: unknown[] = [];
  const rest = [...pages];
  const exports = new ExportAuditEntries(
    uow,
    { count: (_tx, filter, most) => Promise.resolve(filter === FILTER ? Math.min(found, most) : 0) },
    {
      execute: (tenantId, filter, page) => {
        asked.push([tenantId, filter, page.after ?? null]);
        within.push(reads.getStore());
        return Promise.resolve(rest.shift() ?? { entries: [], next: null });
      },
    },
    (work) => reads.run((begun += 1), work),
    3,
  );
  return { within, execute: () => exports.execute(home.tenantId, FILTER), asked, tenantId: home.tenantId };
}

const partsOf = async (exported: Awaited<ReturnType<ReturnType<typeof exporting>['execute']>>) => {
  if (!exported.ok) throw new Error(exported.error.code);
  const parts: (readonly AuditEntryView[])[] = [];
  for await (const part of exported.value) parts.push(part);
  return parts;
};

describe('an export of audit entries', () => {
  it('has every page, each from where the one before ended', async () => {
    const pages = [
      { entries: [ONE], next: NEXT },
      { entries: [TWO], next: AFTER },
      { entries: [ONE, TWO], next: null },
    ];
    const { execute, asked, tenantId } = exporting(3, ...pages);
    expect(await partsOf(await execute())).toEqual([[ONE], [TWO], [ONE, TWO]]);
    expect(asked).toEqual([
      [tenantId, FILTER, null],
      [tenantId, FILTER, NEXT],
      [tenantId, FILTER, AFTER],
    ]);
  });

  it('comes from one server to its end, so that no page is older than the one before', async () => {
    const { execute, within } = exporting(2, { entries: [ONE], next: NEXT }, { entries: [TWO], next: null });
    await partsOf(await execute());
    expect(within).toEqual([1, 1]);
  });

  it('has no part if nothing is found', async () => {
    const { execute } = exporting(0);
    expect(await partsOf(await execute())).toEqual([]);
  });

  it('is refused before anything is read if more entries match than it holds', async () => {
    expect(await exporting(3).execute()).toMatchObject({ ok: true });
    const { execute, asked } = exporting(4);
    expect(await execute()).toMatchObject({
      ok: false,
      error: { code: 'audit.export_too_large', details: { most: 3 } },
    });
    expect(asked).toEqual([]);
  });
});
