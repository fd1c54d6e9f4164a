import { FailureError, newId } from '#lib/kernel';
import { moveSession, type OpenForMove } from './receive-tenant.js';

describe('a session of a move', () => {
  const failing =
    (code: string): OpenForMove =>
    () =>
      Promise.reject(new FailureError({ kind: 'unavailable', code, message: 'It is refused.' }));

  it('is none if a pooler refuses its setting', async () => {
    expect(await moveSession(failing('database.login_refused'), newId())).toBeNull();
  });

  it('fails with any other error of the database', async () => {
    const session = moveSession(failing('database.unreachable'), newId());
    await expect(session).rejects.toMatchObject({ failure: { code: 'database.unreachable' } });
  });
});
