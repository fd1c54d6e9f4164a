import { newId, type ApprovalRequestId, type ChangeRequestId, type PlanId, type TaskId } from '#lib/kernel';
import { fakeWorld, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeConversation, type ChangeTopic, type RequestTopic } from './conversation.contract.js';
import { FakeConversation, type FakeTopic } from './fake-conversation.js';

describeConversation('FakeConversation', () => {
  const world = fakeWorld();
  const { home } = world;
  const fake = new FakeConversation(world.uow);
  const topics = () => fake.topics.of(home);
  const keep = <T extends FakeTopic['topic']>(topic: T, askedBy: FakeTopic['askedBy']): Promise<T> => {
    topics().set(topic.id, { topic, askedBy, reviews: [], claimedBy: null });
    return Promise.resolve(topic);
  };
  const change = (id: string, more: (topic: FakeTopic) => Partial<FakeTopic>): Promise<void> => {
    const topic = topics().get(id);
    if (topic !== undefined) topics().set(id, { ...topic, ...more(topic) });
    return Promise.resolve();
  };
  const participant = ({ personId: id }: typeof home.owner, displayName: string, disabled = false): void => {
    fake.people.of(home).set(id, { id, displayName, email: `p-${id}@example.com`, disabled });
  };
  for (const person of [home.owner, home.admin]) participant(person, person.displayName);
  return Promise.resolve({
    world,
    comments: fake,
    recipients: fake,
    newRequest: (taskId = newId<TaskId>()) =>
      keep<RequestTopic>(
        {
          type: 'approval_request',
          id: newId<ApprovalRequestId>(),
          state: 'open',
          headline: 'execute_rollout_prod on 3 targets, revision 1',
          taskId,
          planId: newId<PlanId>(),
          planAgentId: home.agent.agentId,
          environment: home.production.name,
          level: 'full_with_evidence',
        },
        home.owner.personId,
      ),
    newChange: () =>
      keep<ChangeTopic>(
        {
          type: 'change_request',
          id: newId<ChangeRequestId>(),
          headline: 'The executors',
          level: 'full_with_evidence',
        },
        home.admin.personId,
      ),
    review: ({ id }, { personId: by }, at) => change(id, ({ reviews }) => ({ reviews: [...reviews, { by, at }] })),
    claim: ({ id }, { personId }) => change(id, () => ({ claimedBy: personId })),
    newPerson: (displayName) => {
      const person = samplePerson(home.tenantId);
      participant(person, displayName);
      return Promise.resolve(person);
    },
    disable: (person) => {
      participant(person, 'gone', true);
      return Promise.resolve();
    },
  });
});
