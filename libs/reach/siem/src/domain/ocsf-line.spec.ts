import { newId, type AuditEntryId, type LoggedEvent, type TenantId } from '#lib/kernel';
import { ocsfLine } from './ocsf-line.js';

const tenant = { id: newId<TenantId>(), slug: 'acme' };
const logged = (more: Partial<LoggedEvent> = {}): LoggedEvent => ({
  id: newId<AuditEntryId>(),
  occurredAt: 1_700_000_000_123,
  level: 'full',
  action: 'run.started',
  actor: { kind: 'agent', id: 'a1', display_name: 'patcher', credential_id: 'c1', on_behalf_of: 'p1' },
  subject: { type: 'run', id: 'r1' },
  within: [
    { type: 'task', id: 't1' },
    { type: 'plan', id: 'l1' },
  ],
  payload: { seconds: 3 },
  ...more,
});
const call = { tool: 'file-write', parameters: { path: 'a' }, output: 'written', agent: 'patcher', model: null };

const lineOf = (event: LoggedEvent, of?: typeof call): Record<string, unknown> | null => {
  const line = ocsfLine(tenant, event, of);
  return line === null ? null : (JSON.parse(line) as Record<string, unknown>);
};

describe('an entry as a line of OCSF', () => {
  it('tells its class, actor, operation and resources', () => {
    const event = logged();
    expect(lineOf(event)).toMatchObject({
      ...{ class_uid: 6003, category_uid: 6, activity_id: 1, type_uid: 600301, time: 1_700_000_000_123 },
      ...{ status_id: 1, severity_id: 1, message: 'patcher: run.started' },
      metadata: {
        version: '1.5.0',
        uid: event.id,
        event_code: 'run.started',
        tenant_uid: tenant.id,
        correlation_uid: 't1',
      },
      actor: {
        user: { uid: 'a1', name: 'patcher', type_id: 99, type: 'agent', account: { name: 'acme', uid: tenant.id } },
      },
      api: { operation: 'run.started', service: { name: 'Countersign' } },
      resources: [
        { type: 'run', uid: 'r1' },
        { type: 'task', uid: 't1' },
        { type: 'plan', uid: 'l1' },
      ],
      unmapped: { on_behalf_of: 'p1', facts: { seconds: 3 } },
    });
  });

  it('tells the tool, arguments and answer of a call', () => {
    const line = lineOf(
      logged({ action: 'tool_call.failed', subject: { type: 'tool_call', id: 'x1' }, within: [] }),
      call,
    );
    expect(line).toMatchObject({
      status_id: 2,
      metadata: { correlation_uid: 'x1' },
      api: {
        operation: 'tool.failed',
        request: { uid: 'x1', data: { tool: 'file-write', parameters: { path: 'a' } } },
        response: { data: { output: 'written' } },
      },
      resources: [{ type: 'tool_call' }, { type: 'tool', name: 'file-write' }],
    });
  });

  it.each([
    ['run.step_failed', null, [99, 'failed'], 2, 2],
    ['tool_call.unknown', null, [99, 'unknown'], 0, 2],
    ['tool_call.decided', { outcome: 'deny' }, [99, 'denied'], 2, 2],
    ['tool_call.decided', { outcome: 'allow' }, [3, 'Update'], 1, 1],
    ['halt.set', null, [1, 'Create'], 1, 4],
    ['halt.lifted', null, [4, 'Delete'], 1, 1],
    ['break_glass.invoked', null, [1, 'Create'], 1, 4],
    ['run.from_the_future', null, [99, 'future'], 1, 1],
  ])('%s with %j is the activity %j', (action, payload, [id, name], status, severity) => {
    expect(lineOf(logged({ action, payload }))).toMatchObject({
      ...{ activity_id: id, activity_name: name, status_id: status, severity_id: severity },
      type_uid: 600_300 + Number(id),
    });
  });

  it('T32: masks secrets in facts, arguments and answers', () => {
    const secret = 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0';
    const line = ocsfLine(tenant, logged({ action: 'tool_call.succeeded', payload: { note: secret } }), {
      ...call,
      ...{ parameters: { password: 'hunter2hunter2' }, output: `got ${secret}` },
    });
    expect(line).not.toContain(secret);
    expect(line).not.toContain('hunter2');
  });

  it('is one line, also of facts with line ends, and leaves out facts that are too long', () => {
    expect(ocsfLine(tenant, logged({ payload: { note: 'a\nb' } }), undefined)).not.toContain('\n');
    const long = ocsfLine(tenant, logged({ payload: { note: 'x'.repeat(200_000) } }), undefined) ?? '';
    expect(long.length).toBeLessThan(2_000);
    expect(JSON.parse(long)).toMatchObject({ unmapped: { facts: null } });
  });

  it('is left out for entries about people and their ways to sign in', () => {
    expect(lineOf(logged({ action: 'person.added' }))).toBeNull();
    expect(lineOf(logged({ action: 'change.requested', payload: { kind: 'sign_in' } }))).toBeNull();
  });
});
