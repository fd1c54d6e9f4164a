import { newId, type AuditEntryId, type LoggedEvent } from '#lib/kernel';
import { eventBody, toolBody, type ReportedCall } from './event-body.js';

const AT = Date.UTC(2024, 0, 15, 10, 30);
const call: ReportedCall = {
  tool: 'file-write',
  parameters: { path: 'src/auth.ts', content: '...' },
  output: 'File written successfully',
  agent: 'default',
  model: 'claude-4-sonnet-20250514',
};
const logged: LoggedEvent = {
  id: newId<AuditEntryId>(),
  occurredAt: AT,
  level: 'full',
  action: 'run.failed',
  actor: { kind: 'system', id: 'run-executor', display_name: 'run-executor', credential_id: null, on_behalf_of: null },
  subject: { type: 'run', id: 'r' },
  within: [{ type: 'task', id: 't' }],
  payload: { seq: 3 },
};
const parsed = (body: string): unknown => JSON.parse(body);

describe('the body of an event of a tool', () => {
  it('tells the tool, the result and the session', () => {
    expect(parsed(toolBody('tool.completed', AT, call))).toEqual({
      event: 'tool.completed',
      timestamp: '2024-01-15T10:30:00.000Z',
      tool: { id: 'file-write', name: 'File Write', parameters: { path: 'src/auth.ts', content: '...' } },
      result: { success: true, output: 'File written successfully' },
      session: { agent: 'default', model: 'claude-4-sonnet-20250514' },
    });
  });

  it.each([
    ['file_write', 'File Write'],
    ['mcp:ops:restart_service', 'Restart Service'],
  ])('has for %s the name %s', (tool, name) => {
    expect(parsed(toolBody('tool.started', AT, { ...call, tool }))).toMatchObject({ tool: { id: tool, name } });
  });

  it.each([
    ['tool.started', null],
    ['tool.completed', { success: true, output: call.output }],
    ['tool.failed', { success: false, output: call.output }],
    ['tool.test', { success: true, output: call.output }],
  ] as const)('has the result of %s', (event, result) => {
    expect(parsed(toolBody(event, AT, call))).toMatchObject({ event, result });
  });

  it('leaves out long parts, and stays a document', () => {
    const body = toolBody('tool.completed', AT, { ...call, output: 'x'.repeat(200_000) });
    expect(parsed(body)).toMatchObject({ tool: { parameters: '[left out: too long]' }, session: { agent: 'default' } });
    expect(body.length).toBeLessThan(1_000);
  });
});

describe('the body of another event', () => {
  it('has subject, actor and facts, without the credential', () => {
    expect(parsed(eventBody('run.failed', logged))).toEqual({
      event: 'run.failed',
      timestamp: '2024-01-15T10:30:00.000Z',
      data: {
        entry_id: logged.id,
        action: 'run.failed',
        subject: { type: 'run', id: 'r' },
        actor: { kind: 'system', id: 'run-executor', display_name: 'run-executor', on_behalf_of: null },
        within: [{ type: 'task', id: 't' }],
        facts: { seq: 3 },
      },
    });
  });

  it.each([
    ['were erased', null],
    ['are too long', { text: 'x'.repeat(200_000) }],
  ])('has no facts that %s', (_why, payload) => {
    expect(parsed(eventBody('run.failed', { ...logged, payload }))).toMatchObject({ data: { facts: null } });
  });
});

it('T32: tells the kind and the subject of a change, and nothing of its people', () => {
  const facts = { kind: 'autonomy', subject: { type: 'tenant', id: 't' } };
  const payload = { ...facts, seat: { e_mail: 'oskar@example.com' }, detail: { name: 'Oskar' }, reason: 'Oskar asks' };
  const body = eventBody('guardrail.change_requested', { ...logged, action: 'change.requested', payload });
  expect(parsed(body)).toMatchObject({ data: { action: 'change.requested', facts } });
  expect(body).not.toMatch(/oskar/i);
});

it('T32: masks secrets in both kinds of bodies', () => {
  const facts = { api_key: 'sk-live-0123456789', text: 'password=hunter2' };
  for (const body of [
    toolBody('tool.completed', AT, { ...call, parameters: facts, output: facts }),
    eventBody('run.failed', { ...logged, payload: facts }),
  ]) {
    expect(body).toContain('[masked]');
    expect(body).not.toMatch(/sk-live|hunter2/);
  }
});
