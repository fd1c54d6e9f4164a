import {
  newId,
  type ApprovalRequestId,
  type ChangeRequestId,
  type OutboxMessage,
  type RunId,
  type Tx,
} from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { message } from '../domain/fake-request-message.js';
import { noticeContent } from '../domain/notice.js';
import { requestContent, requestNewsContent } from '../domain/request-content.js';
import type { PlanMessage } from '../domain/request-message.js';
import type { NoticeToTell, NotifiedRun } from './delivery.ports.js';
import { sampleNotice } from './fake-notice.js';
import { ReadContent } from './read-content.js';

const [REQUEST, RUN] = [message().id as ApprovalRequestId, newId<RunId>()];
const CHANGE = newId<ChangeRequestId>();
const ofRequest = (id = REQUEST): OutboxMessage => ({
  topic: 'approval_request.changed',
  payload: { request_id: id, event: 'opened' },
});
const ofRun = (id = RUN): OutboxMessage => ({ topic: 'run.changed', payload: { run_id: id, event: 'run.failed' } });
const ofChange = (id = CHANGE): OutboxMessage => ({ topic: 'change_request.changed', payload: { change_id: id } });
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
  const contents = new ReadContent(
    {
      execute: (_tx, id) => Promise.resolve(id === REQUEST ? message(request) : null),
    },
    { run: (_tx, id) => Promise.resolve(id === RUN ? run : null) },
    unasked({
      'change_request.changed': { read: (_tx, { change_id: id }) => Promise.resolve(id === CHANGE ? notice : null) },
    }),
    'https://countersign.example',
  );
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  return {
    notice,
    content: (told: OutboxMessage, showing: 'subject' | 'requester' = 'subject') =>
      inTx((tx) => contents.execute(tx, told, { channel: 'email', address: 'ada', showing })),
    requestOf: (told: OutboxMessage) => inTx((tx) => contents.requestOf(tx, told)),
    awaits: (told: OutboxMessage) => inTx((tx) => contents.awaits(tx, told)),
    noticeOf: (told: OutboxMessage) => inTx((tx) => contents.notice(tx, told)),
  };
}

describe('the content of a message', () => {
  it('asks for a decision on an open request, and tells the requester how it stands', async () => {
    const { content } = reading();
    expect(await content(ofRequest())).toEqual(requestContent(message(), URL));
    expect(await content(ofRequest(), 'requester')).toEqual(requestNewsContent(message(), URL));
  });

  it('asks for nothing once the request is decided, and still tells the requester', async () => {
    const { content } = reading({ state: 'denied' });
    expect(await content(ofRequest())).toBeNull();
    expect(await content(ofRequest(), 'requester')).toMatchObject({
      title: expect.stringMatching(/^Rejected: /) as string,
    });
  });

  it('tells of the event of a run, with its reason and its page', async () => {
    const { content } = reading();
    expect(await content(ofRun())).toMatchObject({
      title: 'The run failed.',
      lines: [{}],
      url: `https://countersign.example/runs/${RUN}`,
    });
  });

  it('is that of the notice of its topic', async () => {
    const { content, noticeOf, notice } = reading();
    expect(await content(ofChange())).toEqual(noticeContent(notice));
    expect(await noticeOf(ofChange())).toEqual(notice);
    expect([await noticeOf(ofRequest()), await noticeOf(ofRun())]).toEqual([null, null]);
  });

  it('awaits a line that its notice says is about to come', async () => {
    const awaiting = reading({}, { awaits: true });
    expect(await awaiting.awaits(ofChange())).toBe(true);
    expect(await awaiting.awaits(ofChange(newId()))).toBe(false);
    expect(await awaiting.awaits(ofRun())).toBe(false);
    expect(await reading().awaits(ofChange())).toBe(false);
  });

  it.each([ofRequest(newId()), ofRun(newId()), ofChange(newId())])(
    'is missing for a message of $topic about a thing that is gone',
    async (told) => {
      expect(await reading().content(told)).toBeNull();
    },
  );
});

describe('the request of a message', () => {
  it('is the one that the message names, or that of the run', async () => {
    const { requestOf } = reading();
    expect(await requestOf(ofRequest())).toBe(REQUEST);
    expect(await requestOf(ofRun())).toBe(REQUEST);
  });

  it('is missing for an unknown run, and for any other notice', async () => {
    const { requestOf } = reading();
    expect(await requestOf(ofRun(newId()))).toBeNull();
    expect(await requestOf(ofChange())).toBeNull();
  });
});
