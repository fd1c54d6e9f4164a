import { connecting, reaching } from './connecting.js';

const url = 'postgres://carl:secret@db:5432/countersign';
const refused = Object.assign(new Error('no such user'), { code: '08P01' });

describe('connecting to a database', () => {
  it.each([
    [
      'DATABASE_URL',
      'Let the pooler know carl, with the password of DATABASE_URL; or name the PostgreSQL server itself.',
    ],
    [
      'COUNTERSIGN_MIGRATE_URL',
      expect.stringMatching(/^Name the PostgreSQL server itself in COUNTERSIGN_MIGRATE_URL: /),
    ],
    ['--to', expect.stringMatching(/^Name the PostgreSQL server itself in --to: /)],
  ])('tells of a pooler that refuses the login of %s, whatever its name', async (setting, action: unknown) => {
    await expect(connecting(url, setting, () => Promise.reject(refused))).rejects.toMatchObject({
      failure: {
        code: 'database.login_refused',
        message: 'The database at db:5432 refuses a connection of carl, as a pooler does: no such user.',
        action,
      },
    });
  });

  it.each([
    [
      'a certificate of a strange authority',
      { code: 'SELF_SIGNED_CERT_IN_CHAIN' },
      'database.tls_refused',
      'SELF_SIGNED',
    ],
    ['a certificate of another name', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'database.tls_refused', 'ALTNAME'],
    [
      'a server without TLS',
      { message: 'The server does not support SSL connections' },
      'database.tls_refused',
      'the server speaks none',
    ],
    [
      'a file that is not there',
      { code: 'ENOENT', path: '/ca.pem' },
      'start.wrong_setting',
      'DATABASE_URL names the file /ca.pem',
    ],
    [
      'a login that the server lets not in from here',
      { code: '28000', message: 'no pg_hba.conf entry for host "10.0.0.5"' },
      'database.login_refused',
      'no pg_hba.conf entry for host "10.0.0.5"',
    ],
  ])('tells of %s', async (_what, error, code, words) => {
    const failing = connecting(url, 'DATABASE_URL', () => Promise.reject(Object.assign(new Error('failed'), error)));
    await expect(failing).rejects.toMatchObject({
      failure: { code, message: expect.stringContaining(words) as string },
    });
  });

  it.each(['28000', '28P01'])(
    'names the command that makes the login of the service, if it is refused with %s',
    async (code) => {
      const error = Object.assign(new Error('role "countersign_app" does not exist'), { code });
      const failing = connecting('postgres://countersign_app@db/countersign', 'DATABASE_URL', () =>
        Promise.reject(error),
      );
      await expect(failing).rejects.toMatchObject({
        failure: {
          code: 'database.login_refused',
          action: expect.stringContaining('"countersign migrate" makes countersign_app') as string,
        },
      });
    },
  );

  it('leaves the same code alone once there is a connection: it is a refused statement', async () => {
    await expect(reaching(url, 'DATABASE_URL', () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
