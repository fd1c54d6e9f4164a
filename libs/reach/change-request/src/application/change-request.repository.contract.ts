import type { ContractWorld, SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { newId, type ChangeKind, type ChangeRequestId, type Tx } from '#lib/kernel';
import { openChange, type OpenChange } from '../domain/change-request.js';
import type { ChangeRequestRepository, NamedChange } from './change-request.ports.js';

export interface ChangeRequestContract {
  readonly world: ContractWorld;
  readonly changes: ChangeRequestRepository;
}

const EARLIER = Date.UTC(2099, 0, 1);

/** The contract of a repository of change requests. */
export function describeChangeRequestRepository(name: string, setUp: () => Promise<ChangeRequestContract>): void {
  describe(`${name} keeps the contract of ChangeRequestRepository`, () => {
    let world: ContractWorld;
    let changes: ChangeRequestRepository;
    beforeAll(async () => {
      ({ world, changes } = await setUp());
    });
    afterAll(() => world.close());

    const tx = <T>(work: (open: Tx) => Promise<T>, { tenantId }: SampleTenant = world.home): Promise<T> =>
      world.uow.run(tenantId, work);

    /** Asks for a change about a subject, `at` milliseconds after the first. */
    const asked = async (kind: ChangeKind, subject: string, at = 0, of = world.home): Promise<OpenChange> => {
      const change = openChange(
        {
          kind,
          subject: { type: 'tenant', id: subject },
          what: 'The executors',
          payload: { url: `https://${subject}.example/` },
          base: null,
          loosens: ['an address changes'],
          detail: { after: subject },
        },
        {
          id: newId<ChangeRequestId>(),
          requestedBy: of.admin.personId,
          credentialId: of.admin.credentialId,
          why: 'The service moved.',
        },
        null,
        EARLIER + at,
      );
      await tx((open) => changes.insert(open, change), of);
      return change;
    };
    const list = async (
      filter: Parameters<ChangeRequestRepository['list']>[1],
      page: Parameters<ChangeRequestRepository['list']>[2] = { limit: 50, after: null },
    ): Promise<readonly string[]> =>
      (await tx((open) => changes.list(open, filter, page))).map(({ change }) => change.id);

    it('keeps an open change as it was asked for, of its own tenant alone', async () => {
      const change = await asked('executor', 'kept');
      const found = await tx((open) => changes.find(open, change.id));
      expect(found).toMatchObject({ change, closedByName: null } satisfies Partial<NamedChange>);
      expect(await tx((open) => changes.lock(open, change.id))).toEqual(found);
      expect(await tx((open) => changes.find(open, change.id), world.other)).toBeNull();
      expect(await tx((open) => changes.lock(open, newId<ChangeRequestId>()))).toBeNull();
    });

    it('keeps the end of a change, with the person who closed it', async () => {
      const { id } = await asked('executor', 'closed');
      const by = world.home.owner.personId;
      const closed = await tx(async (open) => {
        const change = (await changes.lock(open, id))?.change;
        if (change === undefined) throw new Error('the change is gone');
        await changes.close(open, { ...change, state: 'rejected', closedAt: EARLIER + 1, closedBy: by, reason: 'No.' });
        return changes.find(open, id);
      });
      expect(closed?.change).toMatchObject({ state: 'rejected', closedAt: EARLIER + 1, closedBy: by, reason: 'No.' });
      expect(closed?.closedByName).not.toBeNull();
      expect(await tx((open) => changes.openAbout(open, 'executor', 'closed'))).toEqual([]);
    });

    it('lists the newest first, by kind and state, in pages that repeat nothing', async () => {
      const [second, first, third] = [
        await asked('environment', 'listed', 20),
        await asked('environment', 'listed', 10),
        await asked('environment', 'listed', 30),
      ];
      const kind = 'environment' as const;
      expect(await list({ kind })).toEqual([third.id, second.id, first.id]);
      const page = { limit: 2, after: { at: third.openedAt, id: third.id } };
      expect(await list({ kind, state: 'open' }, page)).toEqual([second.id, first.id]);
      expect(await list({ kind, state: 'expired' })).toEqual([]);
    });

    it('names the open changes about a subject, the oldest first, and their payloads as long as they wait', async () => {
      const [later, sooner] = [await asked('tool_catalog', 'a', 20), await asked('tool_catalog', 'a', 10)];
      const other = await asked('tool_catalog', 'b', 30);
      await asked('tool_catalog', 'a', 0, world.other);
      expect(await tx((open) => changes.openAbout(open, 'tool_catalog', 'a'))).toEqual([sooner.id, later.id]);
      expect(await tx((open) => changes.openAbout(open, 'tool_catalog', null))).toEqual([
        sooner.id,
        later.id,
        other.id,
      ]);
      expect(await tx((open) => changes.waiting(open, 'tool_catalog', 'a'))).toEqual([sooner.payload, later.payload]);
    });
  });
}
