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

  it('leaves the same code alone once there is a connection: it is a refused statement', async () => {
    await expect(reaching(url, 'DATABASE_URL', () => Promise.reject(refused))).rejects.toBe(refused);
  });
});
