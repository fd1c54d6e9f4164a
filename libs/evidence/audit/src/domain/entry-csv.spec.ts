import { headerOf } from './audit-entry.js';
import { entryCsvHeader, entryCsvRecord } from './entry-csv.js';

const header = headerOf({
  ...{ tenantId: 't' as never, id: 'e1' as never, occurredAt: Date.UTC(2026, 0, 5), level: 'basic' },
  ...{ action: 'thing.done', decisionId: null, evidence: [], payloadDigest: Buffer.alloc(32, 1) },
  actor: { kind: 'agent', id: 'a1', display_name: '=HYPERLINK("http://x")', credential_id: null, on_behalf_of: null },
  subject: { type: 'thing', id: 'x' },
  within: [
    { type: 'task', id: 't1' },
    { type: 'plan', id: 'p1' },
  ],
});

describe('an entry as a record of CSV', () => {
  it('has a column for each name of the header', () => {
    const columns = entryCsvHeader().trim().split(',');
    expect(columns).toHaveLength(13);
    const plain = { ...header, actor: { ...header.actor, display_name: 'drift-bot' } };
    expect(entryCsvRecord({ header: plain, payload: undefined }).trim().split(',')).toEqual([
      ...['2026-01-05T00:00:00.000Z', 'e1', 'basic', 'thing.done', 'agent', 'a1', 'drift-bot', 'thing', 'x'],
      ...['task:t1 plan:p1', '', `sha256:${'01'.repeat(32)}`, ''],
    ]);
  });

  it('holds the payload as canonical JSON', () => {
    expect(entryCsvRecord({ header, payload: { b: 1, a: null } })).toContain('"{""a"":null,""b"":1}"');
  });

  it('holds no formula: a name that begins with one is text', () => {
    expect(entryCsvRecord({ header, payload: undefined })).not.toContain(',=');
    expect(entryCsvRecord({ header, payload: undefined })).not.toContain(',"=');
  });
});
