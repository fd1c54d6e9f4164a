import type { Database } from '#lib/database';
import { FailureError, newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { PublishedCheckpoints } from './application/audit.ports.js';
import { guardLogs } from './guard-logs.js';

const saying = (words: string): UnitOfWork => ({ run: () => Promise.reject(new Error(words)) });

describe('the guard of logs', () => {
  it('compares the log of the primary, since a replica may hold a tail that the primary lost', async () => {
    const database = {
      uow: saying('the replica was asked'),
      primary: saying('the primary was asked'),
      onPromotion: () => undefined,
    } as Partial<Database> as Database; // the parts that it takes before the comparison
    const refused: string[] = [];
    const destination = {
      latest: () => Promise.resolve(null),
    } as Partial<PublishedCheckpoints> as PublishedCheckpoints; // never reached
    const guarded = guardLogs(database, [destination], (error) => refused.push(error.message));
    await expect(guarded.uow.run(newId<TenantId>(), () => Promise.resolve())).rejects.toThrow('the primary was asked');
    expect(refused).toEqual([expect.stringContaining('the primary was asked')]);
  });

  it('tells whose log is refused, as a failure with its code', async () => {
    const failure = { kind: 'unavailable', code: 'audit.log_shortened', message: 'It lost its end.' } as const;
    const database = {
      primary: { run: () => Promise.reject(new FailureError(failure)) },
      onPromotion: () => undefined,
    } as Partial<Database> as Database; // the parts that it takes before the comparison
    const refused: Error[] = [];
    const destination = {} as PublishedCheckpoints; // never reached
    const tenantId = newId<TenantId>();
    const guarded = guardLogs(database, [destination], (error) => refused.push(error));
    await expect(guarded.uow.run(tenantId, () => Promise.resolve())).rejects.toMatchObject({ failure });
    expect(refused).toMatchObject([{ failure: { ...failure, message: `Tenant ${tenantId}: It lost its end.` } }]);
  });
});
