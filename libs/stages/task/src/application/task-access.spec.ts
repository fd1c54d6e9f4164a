import type { AgentId, PersonId, Principal } from '#lib/kernel';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleTask } from './fake-task.js';
import { TaskAccess } from './task-access.js';

function asking(owner: PersonId | null) {
  const { uow, home } = fakeWorld();
  const asked: AgentId[] = [];
  const access = new TaskAccess({
    ownerOf: (_tx, id) => {
      asked.push(id);
      return Promise.resolve(owner);
    },
  });
  return {
    home,
    asked,
    mayChange: (by: Principal, submitter: Principal) =>
      uow.run(home.tenantId, (tx) => access.mayChange(tx, by, sampleTask(home, { by: submitter }))),
  };
}

const lead = samplePerson('t' as never, ['SRELead']);

it("asks for the owner of the agent that submitted, and lets the owner change the agent's task", async () => {
  const { home, asked, mayChange } = asking(lead.personId);
  expect(await mayChange(lead, home.agent)).toEqual({ ok: true, value: undefined });
  expect(await mayChange(home.owner, home.agent)).toMatchObject({ error: { code: 'task.not_yours' } });
  expect(asked).toEqual([home.agent.agentId, home.agent.agentId]);
});

it('asks for no owner of a task of a person', async () => {
  const { home, asked, mayChange } = asking(lead.personId);
  expect(await mayChange(home.owner, home.owner)).toMatchObject({ ok: true });
  expect(await mayChange(lead, home.owner)).toMatchObject({ error: { code: 'task.not_yours' } });
  expect(asked).toEqual([]);
});

it('takes an agent without an owner for its own only', async () => {
  const { home, mayChange } = asking(null);
  expect(await mayChange(home.agent, home.agent)).toMatchObject({ ok: true });
  expect(await mayChange(home.owner, home.agent)).toMatchObject({ error: { code: 'task.not_yours' } });
});
