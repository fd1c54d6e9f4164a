import { createDirectory } from '#lib/identity';
import { newId, type ApprovalRequestId, type Tx } from '#lib/kernel';
import { conversationRows } from '../../../../../test/support/conversation-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { jobsInMemory } from '../application/outbox.repository.contract.js';
import { SqlRecipientDirectory } from './sql-recipient-directory.js';
import { SqlOutbox } from './sql-outbox.js';
import { SqlNotificationPreferences } from './sql-notification-preferences.js';

describe('the recipients of a message', () => {
  it('are read by the transaction that claimed the message, and by no other', async () => {
    const world = await postgresWorld();
    try {
      const { uow, home } = world;
      const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
      const outbox = new SqlOutbox(jobsInMemory());
      const request = await conversationRows(world).newRequest();
      await inTx((tx) =>
        outbox.write(tx, {
          topic: 'approval_request.changed',
          payload: { request_id: request.id, event: 'reviewed' },
        }),
      );
      const [message] = await inTx((tx) => outbox.list(tx, 'pending', { after: null, limit: 10 }));
      const id = message?.id ?? '';
      const turn = (tx: Tx) =>
        Promise.all([outbox.claim(tx, id, 0), new SqlRecipientDirectory().ofMessage(tx, id, 'claimed')]);
      const told = { id: request.id, environment: home.production.name, requesterPersonId: home.owner.personId };
      await inTx(async (tx) => {
        expect(await turn(tx)).toMatchObject([{ attempts: 1 }, told]);
        expect(await inTx(turn)).toEqual([null, null]);
      });
      expect(await inTx((tx) => new SqlRecipientDirectory().ofMessage(tx, id, 'claimed'))).toBeNull();
      expect(await inTx(turn)).toMatchObject([{ attempts: 2 }, told]);
    } finally {
      await world.close();
    }
  });

  it('is read with the preferences, the browsers and the past that the first delivery of a new request needs', async () => {
    const world = await postgresWorld();
    try {
      const { uow, home, db } = world;
      const { tenantId } = home;
      const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(tenantId, work);
      const rows = conversationRows(world);
      const { people } = createDirectory({ system: db.systemQuery, seals: testSeals() });
      const [lead, other] = [await rows.newPerson('Lead'), await rows.newPerson('Other')];
      const [personId, browser, ended] = [lead.personId, newId(), newId()];
      await inTx(async (tx) => {
        await people.assignRole(tx, { id: newId(), personId, role: 'SRELead', assignedBy: null, at: await tx.now() });
        const push = { requests: false, reminders: true, comments: true };
        for (const who of [personId, other.personId]) await new SqlNotificationPreferences().save(tx, who, { push });
      });
      const subscribed = `insert into push_subscription (tenant_id, id, person_id, endpoint, p256dh, auth, created_at, ended_at)
        values ($1, $2::uuid, $3, 'https://push.example/' || $2, 'p', 'a', clock_timestamp(), $4)`;
      await db.owner.query(subscribed, [tenantId, browser, personId, null]);
      await db.owner.query(subscribed, [tenantId, ended, personId, new Date()]);
      await db.owner.query(subscribed, [tenantId, newId(), other.personId, null]);
      const outbox = new SqlOutbox(jobsInMemory());
      const request = await rows.newRequest();
      const told = (event: string) =>
        inTx(async (tx) => {
          await outbox.write(tx, {
            topic: 'approval_request.changed',
            payload: { request_id: request.id, event },
          });
          const [message] = await outbox.list(tx, 'pending', { after: null, limit: 1 });
          return new SqlRecipientDirectory().ofMessage(tx, message?.id ?? '', 'written');
        });
      expect(await told('opened')).toMatchObject({
        reviewers: [personId],
        opened: {
          preferences: new Map([[personId, { push: { requests: false, reminders: true, comments: true } }]]),
          browsers: [{ id: browser, personId }],
          past: [],
        },
      });
      expect(await told('reviewed')).not.toHaveProperty('opened');
    } finally {
      await world.close();
    }
  });

  it('says whether a new request stands as it was opened, and who asked', async () => {
    const world = await postgresWorld();
    try {
      const { uow, home } = world;
      const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
      const outbox = new SqlOutbox(jobsInMemory());
      const rows = conversationRows(world);
      const told = async (requestId: ApprovalRequestId, event = 'opened') => {
        await inTx((tx) =>
          outbox.write(tx, { topic: 'approval_request.changed', payload: { request_id: requestId, event } }),
        );
        const [message] = await inTx((tx) => outbox.list(tx, 'pending', { after: null, limit: 1 }));
        const id = message?.id ?? '';
        const [, recipients] = await inTx((tx) =>
          Promise.all([outbox.claim(tx, id, 0), new SqlRecipientDirectory().ofMessage(tx, id, 'claimed')]),
        );
        return recipients;
      };
      const request = await rows.newRequest();
      expect(await told(request.id)).toMatchObject({
        asOpened: true,
        requesterName: `agent-${home.agent.agentId}`,
        onBehalfOfName: null,
      });
      expect(await told(request.id, 'reviewed')).toMatchObject({ asOpened: false });
      await rows.review(request, home.admin, Date.now());
      expect(await told(request.id)).toMatchObject({ asOpened: false });
      const next = await rows.newRequest(request.taskId);
      expect(await told(next.id)).toMatchObject({ asOpened: false });
      const other = await rows.newRequest();
      expect(await told(other.id)).toMatchObject({ asOpened: true });
      await world.db.owner.query(
        `update approval_request set state = 'denied', closed_at = clock_timestamp(),
                closed_reason = '{"code": "c", "message": "m"}' where id = $1`,
        [other.id],
      );
      expect(await told(other.id)).toMatchObject({ asOpened: false });
    } finally {
      await world.close();
    }
  });
});
