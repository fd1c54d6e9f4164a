import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { createChangeRequests, type ChangeRequestDeps } from '../create-change-requests.js';
import { fakeChangeListener } from './fake-change-listener.js';

/** The use cases of change requests over the rows of a test. Each person has a seat of their own. */
export const fakeChanges = (
  uow: FakeUnitOfWork,
  given: Pick<ChangeRequestDeps, 'rows' | 'audit' | 'outbox'> & {
    readonly credentials?: ChangeRequestDeps['directory']['credentials'];
  },
) =>
  createChangeRequests({
    ...{ uow, listener: fakeChangeListener, impact: unasked(), publicUrl: 'https://countersign.example' },
    directory: {
      seats: unasked({
        standingOf: () => Promise.resolve(new Map()),
        waysIn: () => Promise.resolve(new Map()),
      }),
      credentials: given.credentials ?? unasked(),
    },
    ...{ rows: given.rows, audit: given.audit, outbox: given.outbox },
  });
