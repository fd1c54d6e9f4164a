import type { Tx } from '#lib/kernel';
import { conversationRows } from '../../../../../test/support/conversation-rows.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { jobsInMemory } from '../application/outbox.repository.contract.js';
import { SqlAudience } from './sql-audience.js';
import { SqlOutbox } from './sql-outbox.js';

describe('the audience of a message', () => {
  it('is read by the transaction that claimed the message, and by no other', async () => {
    const world = await postgresWorld();
    try {
      const { uow, home } = world;
      const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
      const outbox = new SqlOutbox(jobsInMemory(), testSeals());
      const request = await conversationRows(world).newRequest();
      await inTx((tx) =>
        outbox.write(tx, {
          topic: 'approval_request.changed',
          payload: { request_id: request.id, event: 'reviewed' },
        }),
      );
      const [message] = await inTx((tx) => outbox.list(tx, 'pending', { after: null, limit: 10 }));
      const id = message?.id ?? '';
      const turn = (tx: Tx) => Promise.all([outbox.claim(tx, id, 0), new SqlAudience().ofMessage(tx, id)]);
      const told = { id: request.id, environment: home.production.name, requesterPersonId: home.owner.personId };
      await inTx(async (tx) => {
        expect(await turn(tx)).toMatchObject([{ attempts: 1 }, told]);
        expect(await inTx(turn)).toEqual([null, null]);
      });
      expect(await inTx((tx) => new SqlAudience().ofMessage(tx, id))).toBeNull();
      expect(await inTx(turn)).toMatchObject([{ attempts: 2 }, told]);
    } finally {
      await world.close();
    }
  });

  it('says whether a new request stands as it was opened, and who asked', async () => {
    const world = await postgresWorld();
    try {
      const { uow, home } = world;
      const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
      const outbox = new SqlOutbox(jobsInMemory(), testSeals());
      const rows = conversationRows(world);
      const told = async (requestId: string, event = 'opened') => {
        await inTx((tx) =>
          outbox.write(tx, { topic: 'approval_request.changed', payload: { request_id: requestId, event } }),
        );
        const [message] = await inTx((tx) => outbox.list(tx, 'pending', { after: null, limit: 1 }));
        const id = message?.id ?? '';
        const [, audience] = await inTx((tx) =>
          Promise.all([outbox.claim(tx, id, 0), new SqlAudience().ofMessage(tx, id)]),
        );
        return audience;
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
