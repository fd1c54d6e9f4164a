import type { SessionMessage } from '#lib/api-schemas';
import { newId, toTimestamp, type SessionId, type SystemPrincipal, type TenantId } from '#lib/kernel';
import { CallOutputFeed } from './call-output-feed.js';

const NOW = Date.UTC(2026, 0, 5, 8);
const MINUTE = 60_000;
const READER: SystemPrincipal = { kind: 'system', tenantId: newId<TenantId>(), name: 'reader' };

/** How many messages a client gets of a call that was allowed so many minutes ago, and sent one chunk. */
async function sentOutputs(minutes: number, open: boolean): Promise<number> {
  const chunk = { seq: 1, stream: 'stdout', text: 'a line' } as const;
  const outputs = { read: () => Promise.resolve({ chunks: [chunk], cut: false, open }) };
  const feed = new CallOutputFeed(outputs, READER, newId<SessionId>());
  const timestamp = toTimestamp(NOW - minutes * MINUTE);
  const facts = { agentId: null, toolName: null, risk: null, tier: null, class: null, summary: '' };
  const message: SessionMessage = {
    ...{ ...facts, v: 1, type: 'audit_entry', sessionId: newId(), id: newId(), toolCallId: newId() },
    ...{ decision: 'approved', timestamp },
  };
  feed.hear(message, NOW);
  let sent = 0;
  for await (const message of feed.unsent()) sent += message.type === 'output' ? 1 : 0;
  return sent;
}

it('tells the output of a call that is still made, however long ago it was allowed', async () => {
  expect(await sentOutputs(59, true)).toBe(1);
  expect(await sentOutputs(59, false)).toBe(0);
  expect(await sentOutputs(14, false)).toBe(1);
});
