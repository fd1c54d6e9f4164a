import { newId, type PersonId } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import type { WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookNotices } from './webhook-notices.js';
import type { EndpointStore } from './webhook.ports.js';

const { uow, home } = fakeClockedWorld();
const id = newId<WebhookEndpointId>();
const owner: PersonId = home.owner.personId;

const noticeOf = (more: Partial<WebhookEndpoint>) => {
  const endpoint: WebhookEndpoint = {
    ...{ id, url: 'https://hooks.example.com/in', description: '', events: ['run.*'], ca: null, enabled: false },
    ...{ offReason: 'failing', failingSince: 1, createdBy: owner, createdAt: 0, ...more },
  };
  const endpoints: Pick<EndpointStore, 'find' | 'told'> = {
    find: () => Promise.resolve(endpoint),
    told: () => Promise.resolve([owner]),
  };
  const notices = new WebhookNotices(endpoints, 'https://countersign.example');
  return uow.run(home.tenantId, (tx) => notices.read(tx, { webhook_id: id }));
};

describe('the notice of a webhook that was switched off', () => {
  it('tells its owner the reason, and leads to its page', async () => {
    const notice = await noticeOf({});
    expect(notice).toMatchObject({ people: [owner], always: true });
    expect(notice?.url).toMatch(/^https:\/\/countersign\.example\/settings\/webhooks\/[0-9a-f-]{36}$/);
    expect(notice?.lines.join('\n')).toMatch(/no event for three days[\s\S]*switch the webhook on again on its page/);
    expect((await noticeOf({ offReason: 'gone' }))?.lines[0]).toBe('Its receiver answered 410 Gone.');
  });

  it('is not sent for one that is on again', async () => {
    expect(await noticeOf({ enabled: true, offReason: null })).toBeNull();
  });
});
