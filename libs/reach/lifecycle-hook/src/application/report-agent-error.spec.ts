import { ok } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeAgentReports } from './fake-agent-reports.js';
import { ReportAgentError } from './report-agent-error.js';

function reporting() {
  const { uow, home } = fakeWorld();
  const audit = new FakeAuditSink(uow);
  const reports = new ReportAgentError(uow, new FakeAgentReports(uow), audit);
  const { agent, admin } = home;
  return {
    ...{ uow, agent, admin },
    report: (by: typeof agent | typeof admin = agent, error = 'The file is gone.') =>
      reports.execute(by, { error, tool: 'read' }),
    entries: () => audit.of(home),
  };
}

describe('an error that an agent reports', () => {
  it('is an entry about the agent, without the secrets in it', async () => {
    const { agent, report, entries } = reporting();
    expect(await report(agent, 'login failed: password=hunter22hunter22')).toEqual(ok(undefined));
    expect(entries()).toMatchObject([
      {
        action: 'agent_error.reported',
        actor: { id: agent.agentId },
        subject: { type: 'agent', id: agent.agentId },
        payload: { tool: 'read' },
      },
    ]);
    expect(JSON.stringify(entries())).not.toContain('hunter22hunter22');
  });

  it('is refused beyond sixty in a minute, and is no entry', async () => {
    const { uow, report, entries } = reporting();
    for (let count = 0; count < 60; count += 1) await report();
    expect(await report()).toMatchObject({ ok: false, error: { code: 'agent_error.too_many', kind: 'rate_limited' } });
    expect(entries()).toHaveLength(60);
    uow.now += 60_000;
    expect(await report()).toEqual(ok(undefined));
  });

  it('is refused to a person', async () => {
    const { admin, report, entries } = reporting();
    expect(await report(admin)).toMatchObject({ ok: false, error: { code: 'agent_error.agents_only' } });
    expect(entries()).toEqual([]);
  });
});
