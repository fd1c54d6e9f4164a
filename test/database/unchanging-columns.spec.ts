import { testDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf } from './arrange.js';

describe('the changes that the service may make', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  it.each([
    'update task set spec = spec',
    'update task set person_id = person_id',
    'update plan set expanded = expanded',
    'update plan set digest = digest',
    'update simulation set plan_digest = plan_digest',
    'update approval_request set binding = binding',
    'update approval_request set excluded = excluded',
    'update approval_request set headline = headline',
    'update review set verdict = verdict',
    'update run set approved_terms = approved_terms',
    'update run set plan_digest = plan_digest',
    'update run set headline = headline',
    'update run_step set idempotent = idempotent',
    'update step_attempt set fence = fence',
    'update call_grant set audience = audience',
    'update call_grant set expires_at = expires_at',
    'update role_assignment set assigned_at = assigned_at',
    'update credential set scopes = scopes',
    'update credential set expires_at = expires_at',
    'update sign_in_transaction set expires_at = expires_at',
    'update person set email = email',
    'update person set created_at = created_at',
    'update agent set created_at = created_at',
    'delete from person',
    'delete from agent',
    'delete from task',
    'delete from plan',
    'delete from run',
    'delete from call_grant',
    'delete from credential',
    'delete from agent_owner',
  ])('exclude: %s', async (statement) => {
    expect(await refusalOf(db.app.query(statement))).toBe('42501');
  });

  it('exclude the past of a grant: once redeemed it stays redeemed, also for the owner of the schema', async () => {
    const tenant = '01900000-0000-7000-8000-000000000001';
    const grant = '01900000-0000-7000-8000-000000000002';
    await db.owner.query(`insert into tenant (id, slug, name, created_at) values ($1, 'acme', 'Acme', now())`, [
      tenant,
    ]);
    await db.owner.query(
      `insert into call_grant (tenant_id, id, environment, audience, basis, source_type, source_id, step, attempt, tool, arguments_digest, issued_at, expires_at, seal)
       values ($1, $2, 'production', 'fleet', 'policy', 'run', $2, 's', 1, 'restart', 'sha256:0', now(), now() + interval '1 minute', 'k1.' || repeat('A', 43))`,
      [tenant, grant],
    );
    await db.owner.query('update call_grant set redeemed_at = now() where id = $1', [grant]);
    expect(await refusalOf(db.owner.query('update call_grant set redeemed_at = null where id = $1', [grant]))).toBe(
      'CS001',
    );
  });

  it('exclude a used bootstrap token', async () => {
    await db.owner.query(
      `insert into bootstrap_token (token_digest, created_at, expires_at, used_at) values (decode(repeat('ab', 32), 'hex'), now(), now() + interval '1 day', now())`,
    );
    expect(await refusalOf(db.app.query('update bootstrap_token set used_at = null'))).toBe('CS001');
  });
});
