import { once } from 'node:events';
import { Client } from 'pg';
import { newId, type TenantId } from '#lib/kernel';
import { sqlOf } from './sql.js';
import { unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('the announcements of a unit of work', () => {
  const world = unitOfWorkWorld();

  let listener: Client;
  let heard: { readonly channel: string; readonly payload?: string | undefined }[];
  beforeEach(async () => {
    heard = [];
    listener = new Client({ connectionString: world.db.url });
    await listener.connect();
    listener.on('notification', ({ channel, payload }) => heard.push({ channel, payload }));
    await listener.query('listen test_told');
  });
  afterEach(() => listener.end());
  const announcing = (...payloads: readonly string[]): Promise<void> =>
    world.uow.run(newId<TenantId>(), (tx) => {
      for (const payload of payloads) sqlOf(tx).announce('test_told', payload);
      return Promise.resolve();
    });
  /** The listener hears every earlier notification before this answer. */
  const settled = async (): Promise<void> => {
    await world.uow.close();
    await listener.query('select 1');
  };

  it('are heard soon after the commit, once for all that say the same', async () => {
    await Promise.all([announcing('a', 'b'), announcing('a')]);
    expect(heard).toEqual([]);
    await once(listener, 'notification');
    await settled();
    expect(heard.map(({ payload }) => payload)).toEqual(['a', 'b']);
  });

  it('of a transaction that is rolled back are never made', async () => {
    const lost = world.uow.run(newId<TenantId>(), (tx) => {
      sqlOf(tx).announce('test_told', 'lost');
      return Promise.reject(new Error('rolled back'));
    });
    await expect(lost).rejects.toThrow('rolled back');
    await announcing('kept');
    await settled();
    expect(heard.map(({ payload }) => payload)).toEqual(['kept']);
  });
});
