import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { FailureError } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { openDatabase } from './open-database.js';

const ignore = (): undefined => undefined;
const quiet = { applicationName: 'privilege-test', entities: [], poolSize: 1, onError: ignore };

describe('T21: the service refuses to start', () => {
  let db: TestDatabase;
  let admin: Client;
  const roles: string[] = [];

  beforeAll(async () => {
    db = await testDatabase();
    admin = new Client({ connectionString: db.adminUrl });
    await admin.connect();
  });
  afterAll(async () => {
    for (const role of roles)
      await admin.query(`reassign owned by ${role} to countersign_owner; drop owned by ${role}; drop role ${role}`);
    await admin.end();
    await db.close();
  });

  /** A login of its own for each case: roles are shared by every database of the server. */
  const login = async (attributes: string, ...statements: string[]): Promise<string> => {
    const role = `t21_${randomBytes(4).toString('hex')}`;
    roles.push(role);
    await admin.query(`create role ${role} login password 'pw' ${attributes}`);
    for (const statement of statements) await admin.query(statement.replaceAll('ROLE', role));
    const url = new URL(db.url);
    url.username = role;
    url.password = 'pw';
    return url.href;
  };
  const refusal = async (url: string): Promise<{ code: string; message: string }> => {
    try {
      await (await openDatabase({ kind: 'external', url }, quiet)).close();
    } catch (error) {
      if (error instanceof FailureError) return error.failure;
      throw error;
    }
    throw new Error('It started.');
  };

  it('as a superuser', async () => {
    expect(await refusal(db.adminUrl)).toMatchObject({
      code: 'database.privileged_role',
      message: expect.stringContaining('postgres, which is a superuser') as string,
    });
  });

  it('with BYPASSRLS', async () => {
    expect(await refusal(await login('bypassrls', 'grant countersign_app to ROLE'))).toMatchObject({
      code: 'database.privileged_role',
      message: expect.stringContaining('has BYPASSRLS') as string,
    });
  });

  it('as the owner of a table', async () => {
    const url = await login(
      '',
      'grant countersign_app to ROLE',
      'create table stray (n int)',
      'alter table stray owner to ROLE',
    );
    expect(await refusal(url)).toMatchObject({
      code: 'database.privileged_role',
      message: expect.stringContaining('owns the table public.stray') as string,
    });
  });

  it.each(['countersign_owner', 'countersign_system', 'postgres'])('as a login that may become %s', async (mighty) => {
    // Without INHERIT: not yet the owner, and one SET ROLE away.
    const url = await login('noinherit', 'grant countersign_app to ROLE', `grant ${mighty} to ROLE`);
    expect(await refusal(url)).toMatchObject({
      code: 'database.privileged_role',
      message: expect.stringContaining(`may become`) as string,
    });
  });

  it('as a login that has put its privileges aside for the moment', async () => {
    const url = new URL(db.adminUrl);
    url.searchParams.set('options', '-c role=countersign_app');
    expect(await refusal(url.href)).toMatchObject({ code: 'database.privileged_role' });
  });

  it('as a login that may make temporary tables', async () => {
    const url = await login('', 'grant countersign_app to ROLE');
    const database = new URL(db.url).pathname.slice(1);
    await admin.query(`grant temporary on database ${database} to public`);
    try {
      expect(await refusal(url)).toMatchObject({
        code: 'database.temporary_tables',
        message: expect.stringContaining('may make temporary tables') as string,
      });
    } finally {
      await admin.query(`revoke temporary on database ${database} from public`);
    }
  });

  it('as somebody who is not countersign_app', async () => {
    expect(await refusal(await login(''))).toMatchObject({ code: 'database.not_app_role' });
  });

  it('and starts as countersign_app, or as a member of it', async () => {
    for (const url of [db.url, await login('', 'grant countersign_app to ROLE')]) {
      const database = await openDatabase({ kind: 'external', url }, quiet);
      await database.ping();
      expect(database.where.address).not.toContain('pw');
      await database.close();
    }
  });
});
