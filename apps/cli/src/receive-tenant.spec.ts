import { FailureError, newId } from '#lib/kernel';
import { reachedDatabase, type OpenForMove } from './receive-tenant.js';

describe('a database session of a move', () => {
  const failing =
    (code: string, sqlState: string): OpenForMove =>
    () =>
      Promise.reject(
        new FailureError(
          { kind: 'unavailable', code, message: 'It is refused.' },
          { cause: Object.assign(new Error('refused'), { code: sqlState }) },
        ),
      );

  it('is none if a pooler refuses its setting', async () => {
    expect(await reachedDatabase(failing('database.login_refused', '08P01'), newId())).toBeNull();
  });

  it.each([
    ['database.login_refused', '28P01'],
    ['database.unreachable', 'ECONNREFUSED'],
  ])('fails with %s of the server itself (%s)', async (code, sqlState) => {
    const reached = reachedDatabase(failing(code, sqlState), newId());
    await expect(reached).rejects.toMatchObject({ failure: { code } });
  });
});
