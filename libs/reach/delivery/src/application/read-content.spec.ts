import { newId, type ApprovalRequestId, type RunId, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { message } from '../domain/fake-request-message.js';
import { noticeContent } from '../domain/notice.js';
import { requestContent, requestNewsContent } from '../domain/request-content.js';
import type { PlanMessage } from '../domain/request-message.js';
import type { NoticeSource, NoticeToTell, OutboxEntry, NotifiedRun } from './delivery.ports.js';
import { sampleNotice } from './fake-notice.js';
import { ReadContent } from './read-content.js';

const [REQUEST, RUN] = [message().id as ApprovalRequestId, newId<RunId>()];
const URL = `https://countersign.example/requests/${REQUEST}`;

/** The contents of a tenant with one request, one run and one change request. */
function reading(request: Partial<PlanMessage> = {}, more: Partial<NoticeToTell> = {}) {
  const run: NotifiedRun = {
    id: RUN,
    requestId: REQUEST,
    environment: 'production',
    state: 'failed',
    reason: 'the time limit is over',
    outcome: null,
  };
  const { uow, home } = fakeWorld();
  const notice = sampleNotice(more);
  const source = (topic: NoticeSource['topic'], id: string): NoticeSource => ({
    topic,
    read: (_tx, { change_id }) => Promise.resolve(change_id === 'change' ? { ...notice, id } : null),
  });
  const contents = new ReadContent(
    {
      execute: (_tx, id) => Promise.resolve(id === REQUEST ? message(request) : null),
    },
    { run: (_tx, id) => Promise.resolve(id === RUN ? run : null) },
    [source('incident.changed', 'incident'), source('change_request.changed', 'change')],
    'https://countersign.example',
  );
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const entryOf = (topic: string, payload: OutboxEntry['payload']) => ({ topic, payload }) as OutboxEntry;
  return {
    notice,
    content: (topic: string, payload: OutboxEntry['payload'], showing: 'subject' | 'requester' = 'subject') =>
      inTx((tx) => contents.execute(tx, entryOf(topic, payload), { channel: 'email', address: 'ada', showing })),
    requestOf: (topic: string, payload: OutboxEntry['payload']) =>
      inTx((tx) => contents.requestOf(tx, entryOf(topic, payload))),
    awaits: (topic: string, payload: OutboxEntry['payload']) =>
      inTx((tx) => contents.awaits(tx, entryOf(topic, payload))),
    noticeOf: (topic: string, payload: OutboxEntry['payload']) => inTx((tx) => contents.notice(tx, topic, payload)),
  };
}

describe('the content of a message', () => {
  it('asks for a decision on an open request, and tells the requester how it stands', async () => {
    const { content } = reading();
    const payload = { request_id: REQUEST };
    expect(await content('approval.changed', payload)).toEqual(requestContent(message(), URL));
    expect(await content('approval.changed', payload, 'requester')).toEqual(requestNewsContent(message(), URL));
  });

  it('asks for nothing once the request is decided, and still tells the requester', async () => {
    const { content } = reading({ state: 'denied' });
    const payload = { request_id: REQUEST };
    expect(await content('approval.changed', payload)).toBeNull();
    expect(await content('approval.changed', payload, 'requester')).toMatchObject({
      title: expect.stringMatching(/^Rejected: /) as string,
    });
  });

  it('tells of the event of a run, with its reason and its page', async () => {
    const { content } = reading();
    expect(await content('run.changed', { run_id: RUN, event: 'run.failed' })).toMatchObject({
      title: 'The run failed.',
      lines: [{}],
      url: `https://countersign.example/runs/${RUN}`,
    });
  });

  it('is that of the notice of its topic', async () => {
    const { content, noticeOf, notice } = reading();
    expect(await content('change_request.changed', { change_id: 'change' })).toEqual(noticeContent(notice));
    expect(await noticeOf('change_request.changed', { change_id: 'change' })).toMatchObject({ id: 'change' });
  });

  it('awaits a line that its notice says is about to come', async () => {
    const awaiting = reading({}, { awaits: true });
    expect(await awaiting.awaits('change_request.changed', { change_id: 'change' })).toBe(true);
    expect(await awaiting.awaits('change_request.changed', { change_id: 'other' })).toBe(false);
    expect(await awaiting.awaits('run.changed', { run_id: RUN })).toBe(false);
    expect(await reading().awaits('change_request.changed', { change_id: 'change' })).toBe(false);
  });

  it.each<[string, OutboxEntry['payload']]>([
    ['approval.changed', { request_id: newId() }],
    ['run.changed', { run_id: newId() }],
    ['change_request.changed', { change_id: newId() }],
    ['comment.added', { change_id: 'change' }],
  ])('is missing for a message of %s about a thing that is gone', async (topic, payload) => {
    expect(await reading().content(topic, payload)).toBeNull();
  });
});

describe('the request of a message', () => {
  it('is the one that the message names, or that of the run', async () => {
    const { requestOf } = reading();
    expect(await requestOf('approval.changed', { request_id: REQUEST })).toBe(REQUEST);
    expect(await requestOf('run.changed', { run_id: RUN })).toBe(REQUEST);
  });

  it('is missing for an unknown run, and for any other notice', async () => {
    const { requestOf } = reading();
    expect(await requestOf('run.changed', { run_id: newId() })).toBeNull();
    expect(await requestOf('change_request.changed', { run_id: RUN })).toBeNull();
  });
});
