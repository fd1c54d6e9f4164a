import { newId, type PlanId, type TenantId } from '#lib/kernel';
import { RevisionContents, type StoredContent } from './revision-contents.js';

const document = (summary: string): StoredContent => ({
  document: JSON.stringify({
    summary,
    phases: [
      {
        name: 'one',
        canary: false,
        targets: ['a'],
        batch_percent: 100,
        steps: [{ id: 's', tool: 't', arguments: {} }],
      },
    ],
  }),
  expanded: null,
  digest: null,
});

describe('the content of plan revisions', () => {
  const tenant = newId<TenantId>();
  const id = newId<PlanId>();

  it('is parsed once for each version of its row, and frozen', () => {
    const contents = new RevisionContents();
    expect(contents.find(tenant, id, '1')).toBeUndefined();
    const kept = contents.keep(tenant, id, '1', document('first'));
    expect(contents.find(tenant, id, '1')).toBe(kept);
    expect(Object.isFrozen(kept.document.phases[0]?.targets)).toBe(true);
  });

  it('is another one if the row was rewritten, or is of another tenant', () => {
    const contents = new RevisionContents();
    contents.keep(tenant, id, '1', document('first'));
    expect(contents.find(tenant, id, '2')).toBeUndefined();
    expect(contents.find(newId<TenantId>(), id, '1')).toBeUndefined();
  });

  it('drops the content that was read longest ago to make room for the latest', () => {
    const contents = new RevisionContents();
    const large = { ...document('large'), expanded: null };
    const padded = { ...large, document: large.document + ' '.repeat(12 * 1024 * 1024) };
    const first = contents.keep(tenant, id, '1', padded);
    contents.keep(tenant, id, '2', padded);
    contents.find(tenant, id, '1');
    const third = contents.keep(tenant, id, '3', padded);
    expect(contents.find(tenant, id, '1')).toBe(first);
    expect(contents.find(tenant, id, '2')).toBeUndefined();
    expect(contents.find(tenant, id, '3')).toBe(third);
  });
});
