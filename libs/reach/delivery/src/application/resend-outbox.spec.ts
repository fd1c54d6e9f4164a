import { newId, type ChangeRequestId, type Tx } from '#lib/kernel';
import { FakeAuditSink, FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { OutboxState } from './delivery.ports.js';
import { FakeOutboxRepository } from './fake-outbox.repository.js';
import { ResendOutbox } from './resend-outbox.js';

const PAGE = { after: null, limit: 10 };

/** A message that was given up after its first attempt. */
async function givenUp() {
  const { uow, home, other } = fakeWorld();
  const jobs = new FakeJobQueue(uow);
  const [outbox, audit] = [new FakeOutboxRepository(uow, jobs), new FakeAuditSink(uow)];
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  const id = await inTx(async (tx) => {
    await outbox.write(tx, { topic: 'change_request.changed', payload: { change_id: newId<ChangeRequestId>() } });
    const [written] = await outbox.list(tx, 'pending', PAGE);
    const claimed = written && (await outbox.claim(tx, written.id, 1_000));
    if (!claimed) throw new Error('nothing was written');
    outbox.giveUp(tx, claimed, 'the mailbox is full');
    return claimed.id;
  });
  const written = jobs.of(home).length;
  const resend = new ResendOutbox(uow, outbox, audit);
  return {
    home,
    other,
    id,
    resend: (which = id, by = home.admin) => resend.execute(by, which),
    listed: async (state: OutboxState, by = home.admin) =>
      (await resend.list(by, state, PAGE)).map((entry) => entry.id),
    audited: () => audit.of(home),
    /** The jobs since then. */
    jobs: () => jobs.of(home).slice(written),
  };
}

describe('a message that was given up', () => {
  it('is listed, in its tenant alone', async () => {
    const { id, other, listed } = await givenUp();
    expect([await listed('failed'), await listed('pending')]).toEqual([[id], []]);
    expect(await listed('failed', other.admin)).toEqual([]);
  });

  it('is due again once an admin sends it again, on record with its last error', async () => {
    const { id, home, resend, listed, audited, jobs } = await givenUp();
    expect(await resend()).toMatchObject({ ok: true, value: { id, state: 'pending', attempts: 0 } });
    expect([await listed('failed'), await listed('pending')]).toEqual([[], [id]]);
    expect(jobs()).toEqual([{ name: 'outbox.deliver', id }]);
    expect(audited()).toMatchObject([
      {
        action: 'outbox_message.retried',
        actor: { kind: 'person', id: home.admin.personId },
        level: 'detailed',
        subject: { type: 'outbox_message', id },
        payload: { topic: 'change_request.changed', destination: null, last_error: 'the mailbox is full' },
      },
    ]);
  });

  it('is not sent again while it is pending', async () => {
    const { resend, audited, jobs } = await givenUp();
    await resend();
    expect(await resend()).toMatchObject({ ok: false, error: { code: 'outbox.not_failed' } });
    expect([audited().length, jobs().length]).toEqual([1, 1]);
  });

  it('is not there under another id, nor in another tenant', async () => {
    const { id, other, resend, listed, audited } = await givenUp();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await resend(newId())).toMatchObject(missing);
    expect(await resend(id, other.admin)).toMatchObject(missing);
    expect([await listed('failed'), audited()]).toEqual([[id], []]);
  });
});
