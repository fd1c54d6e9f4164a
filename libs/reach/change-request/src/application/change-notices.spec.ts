import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ChangeNotices, type ChangeImpact } from './change-notices.js';
import { sampleChange } from './fake-change.js';
import { FakeChangeRequestRepository } from './fake-change-request.repository.js';
import { FakeConfirmerDirectory } from './fake-confirmer-directory.js';

/** The notice of a change that was opened just now. */
function arrange(impact: Awaited<ReturnType<ChangeImpact['lineOf']>>) {
  const { uow, home } = fakeWorld();
  const changes = new FakeChangeRequestRepository(uow);
  const change = sampleChange(home, uow.now);
  const notices = new ChangeNotices(
    changes,
    new FakeConfirmerDirectory(uow),
    { standingOf: () => Promise.resolve(new Map()) as never },
    { lineOf: () => Promise.resolve(impact) },
    'https://countersign.example',
  );
  const inTx = uow.run.bind(uow, home.tenantId);
  return {
    notice: async (event?: 'impact') => {
      const payload = { change_id: change.id, ...(event === undefined ? {} : { event }) };
      return inTx((tx) => notices.read(tx, payload)) as ReturnType<ChangeNotices['read']>;
    },
    open: () => inTx((tx) => changes.insert(tx, change)),
    close: () =>
      inTx((tx) =>
        changes.close(tx, {
          ...change,
          state: 'withdrawn',
          closedAt: uow.now,
          closedBy: home.admin.personId,
        }),
      ),
    pass: (ms: number) => {
      uow.now += ms;
    },
    url: `https://countersign.example/changes/${change.id}`,
  };
}

describe('the notice of a change request', () => {
  it('has the impact in one line, and the link to its page', async () => {
    const line = 'Impact: 12 of 16 decisions would have come out otherwise.';
    const { open, notice, url } = arrange({ line, pending: false });
    await open();
    const told = await notice();
    expect(told).toMatchObject({ url, lines: expect.arrayContaining([line]) as string[] });
    expect(told).not.toHaveProperty('awaits');
    expect(told).not.toHaveProperty('editsOnly');
  });

  it('waits for the impact for a minute, where a message can be told once', async () => {
    const { open, notice, pass } = arrange({ line: null, pending: true });
    await open();
    expect(await notice()).toMatchObject({ awaits: true });
    pass(60_000);
    expect(await notice()).not.toHaveProperty('awaits');
  });

  it('brings messages up to date with the impact, and is no further message', async () => {
    const { open, notice } = arrange({ line: 'Impact: none.', pending: false });
    await open();
    expect(await notice('impact')).toMatchObject({ editsOnly: true });
  });

  it('says nothing of the impact of a change that is closed', async () => {
    const { open, close, notice } = arrange({ line: 'Impact: none.', pending: false });
    await open();
    await close();
    expect((await notice())?.lines).not.toContain('Impact: none.');
  });
});
