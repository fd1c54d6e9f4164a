import { routesThrough } from './api-calls.js';
import { McpAddresses } from './mcp-addresses.js';
import { WaitingTasks } from './waiting-tasks.js';

const ID = '0199c0de-0000-7000-8000-000000000001';
const CALLER = '0199c0de-0000-7000-8000-000000000002';
const opened_at = '2026-11-26T09:00:00.000Z';
const approved_at = '2026-11-26T09:05:00.000Z';

const call = (outcome: string, answered_by: string, decided_as: string | null) => ({
  ...{ id: ID, outcome, answered_by, decided_as, request_id: ID, expires_at: null, allowed_until: null },
  ...{ denial: null, errors: [], execution: null, reasons: [] },
});

const tasksOf = (view: object): WaitingTasks =>
  new WaitingTasks({
    api: routesThrough((route) =>
      Promise.resolve(
        route === 'GET /v1/tool-calls/{id}'
          ? view
          : { requester: { id: CALLER }, opened_at, approved_at, closed_at: null, closed_reason: null },
      ),
    ),
    addresses: new McpAddresses('https://plane.example'),
    caller: CALLER,
  });

describe('the task of an approved call', () => {
  it.each([
    ['allowed', 'executor', 'working'],
    ['executing', 'executor', 'working'],
    ['succeeded', 'executor', 'completed'],
    ['failed', 'executor', 'completed'],
    ['unknown', 'executor', 'completed'],
    ['executing', 'agent', 'completed'],
    ['allowed', 'agent', 'completed'],
  ])('that is %s by its %s is %s', async (outcome, by, status) => {
    const task = await tasksOf(call(outcome, by, 'approved')).find(ID);
    expect(task).toMatchObject({ status, createdAt: opened_at, lastUpdatedAt: approved_at });
    if (status === 'working') expect(task?.statusMessage).toBe('It was approved, and is being executed.');
  });

  it('is cancelled if it was taken back before it was taken up', async () => {
    expect(await tasksOf(call('denied', 'executor', 'cancelled')).find(ID)).toMatchObject({ status: 'cancelled' });
  });
});
