import { newId, type AgentId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ReadSetUp, type ShortagesOfAgent } from './read-set-up.js';
import type { CountedSetUp } from './report.ports.js';

/** The step about the people who could approve, in a tenant with so many agents. */
async function reviewersIn(shortagesOf: ShortagesOfAgent, agents: number, autonomyRevision: number | null = 1) {
  const { uow, home } = fakeWorld();
  const counted: CountedSetUp = {
    admins: [],
    tools: 0,
    executors: [],
    succeededCalls: 0,
    autonomyRevision,
    agents: Array.from({ length: agents }, (_, index) => ({
      id: newId(),
      name: `agent-${String(index)}`,
      token: true,
    })),
    slackWorkspace: null,
    publishedElsewhere: false,
    breakGlassDestinations: [],
  };
  const asked: AgentId[] = [];
  const reading = new ReadSetUp(uow, { count: () => Promise.resolve(counted) });
  const { steps } = await reading.execute(home.admin, (reader, agent) => {
    asked.push(agent);
    return shortagesOf(reader, agent);
  });
  const step = steps.find((one) => one.step === 'reviewers');
  return { asked: asked.length, done: step?.done, detail: step?.detail };
}

/** Answers for one agent after the other. */
const answering = (...answers: (readonly string[] | null)[]): ShortagesOfAgent => {
  const rest = [...answers];
  return () => Promise.resolve(rest.shift() ?? null);
};

describe('the people who could approve, on the checklist', () => {
  it('are enough if they are for each agent that can act in production', async () => {
    expect(await reviewersIn(answering([], null, []), 3)).toMatchObject({ asked: 3, done: true });
  });

  it('are too few if they are for one agent', async () => {
    const { done, detail } = await reviewersIn(answering([], ['Nobody reviews in production.']), 2);
    expect(done).toBe(false);
    expect(detail).toContain('Nobody reviews in production.');
  });

  it.each<[string, ShortagesOfAgent, number, number | null]>([
    ['nothing can be approved for any agent', answering(null, null), 2, 1],
    ['there is no autonomy document', answering([]), 1, null],
    ['there is no agent', answering(), 0, 1],
  ])('are not said to be enough if %s', async (_why, shortagesOf, agents, revision) => {
    expect(await reviewersIn(shortagesOf, agents, revision)).toMatchObject({ done: false });
  });

  it('are counted for 20 agents at most', async () => {
    expect(await reviewersIn(() => Promise.resolve([]), 21)).toMatchObject({ asked: 20, done: true });
  });
});
