import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSqlError, sqlOf } from '#lib/database';
import {
  newId,
  ok,
  tightening,
  type AuditEvent,
  type AuditSink,
  type CredentialId,
  type EnvironmentId,
  type TwoPersonRule,
  type PersonId,
  type PersonPrincipal,
  type TenantId,
} from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import type { SecretBinding } from '../domain/secret-binding.js';
import { EncryptedSecretVault } from '../application/encrypted-secret-vault.js';
import {
  ChangeEnvironment,
  CreateEnvironment,
  GetEnvironment,
  GetTenant,
  ListEnvironments,
} from '../application/environments.js';
import { FoundTenant } from '../application/found-tenant.js';
import { ListSecrets, PutSecret, RotateSecrets } from '../application/secrets.js';
import type { Environment } from '../domain/environment.js';
import { AesGcmSecretCipher } from './aes-gcm-secret-cipher.js';
import { openKeyring, type FileKeyring } from './file-keyring.js';
import { TypeormEnvironmentRepository } from './typeorm-environment.repository.js';
import { TypeormSecretRepository } from './typeorm-secret.repository.js';
import { SqlTenantRepository } from './sql-tenant.repository.js';

/** Permits everything, as in a tenant of one admin. */
const nobodyElse: TwoPersonRule = {
  outdate: () => Promise.resolve(),
  admit: (_tx, authority) =>
    authority.kind === 'person'
      ? Promise.resolve(ok({ outcome: 'admitted', admitted: tightening(authority) }))
      : Promise.reject(new Error('nothing waits here')),
  waiting: () => Promise.resolve([]),
  demandReason: () => Promise.resolve(),
};

const FOR_SIGN_IN: SecretBinding = { purpose: 'sign_in', executors: [], environments: [], tools: [] };

describe('tenancy on PostgreSQL', () => {
  let db: TestDatabase;
  let directory: string;
  let keyring: FileKeyring;
  let events: AuditEvent[];
  let by: PersonPrincipal;

  const tenants = new SqlTenantRepository();
  const environments = new TypeormEnvironmentRepository();
  const secrets = new TypeormSecretRepository();
  const audit: AuditSink = {
    record: (_tx, event) => {
      events.push(event);
      return Promise.resolve();
    },
  };

  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(async () => {
    await db.close();
  });
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-keyring-'));
    keyring = await openKeyring({}, directory);
    events = [];
    by = await foundTenant();
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  let serial = 0;
  const foundTenant = async (): Promise<PersonPrincipal> => {
    serial += 1;
    const tenantId = newId<TenantId>();
    const personId = newId<PersonId>();
    await db.uow.run(tenantId, async (tx) => {
      const founded = await new FoundTenant(tenants, environments).found(tx, { slug: `t${String(serial)}`, name: 'T' });
      expect(founded).toEqual({ ok: true, value: undefined });
      await sqlOf(tx).execute(
        "insert into person (tenant_id, id, email, display_name, created_at) values ($1, $2, 'a@x.example', 'A', clock_timestamp())",
        [tenantId, personId],
      );
    });
    return {
      kind: 'person',
      tenantId,
      personId,
      displayName: 'A',
      roles: [],
      credentialId: newId<CredentialId>(),
      scopes: ['admin'],
      signedInAt: null,
    };
  };
  const production = async (): Promise<Environment> => {
    const found = await db.uow.run(by.tenantId, (tx) => environments.byName(tx, 'production'));
    if (found === undefined) throw new Error('A tenant begins with an environment "production".');
    return found;
  };
  const vault = (): EncryptedSecretVault => new EncryptedSecretVault(secrets, new AesGcmSecretCipher(keyring));

  describe('tenants', () => {
    it('begin with production, staging and development', async () => {
      const listed = await new ListEnvironments(db.uow, environments).execute(by.tenantId, {
        limit: 10,
        afterName: null,
      });
      expect(listed.map(({ name, production: flag, version }) => [name, flag, version])).toEqual([
        ['development', false, 1],
        ['production', true, 1],
        ['staging', false, 1],
      ]);
      expect(await new GetTenant(db.uow, tenants).execute(by.tenantId)).toMatchObject({
        ok: true,
        value: { id: by.tenantId },
      });
    });

    it('have a slug that no other tenant has', async () => {
      const id = newId<TenantId>();
      const slug = `t${String(serial)}`;
      const again = await db.uow.run(id, (tx) => new FoundTenant(tenants, environments).found(tx, { slug, name: 'T' }));
      expect(again).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'tenancy.slug_taken' } });
      expect(await new GetTenant(db.uow, tenants).execute(id)).toMatchObject({
        ok: false,
        error: { code: 'resource.not_found' },
      });
    });
  });

  describe('environments', () => {
    it('are created once under a name, and recorded', async () => {
      const create = new CreateEnvironment(db.uow, environments, audit);
      const created = await create.execute(by, { name: 'sandbox', production: false });
      expect(created).toMatchObject({ ok: true, value: { name: 'sandbox', version: 1 } });
      expect(events.map((event) => event.action)).toEqual(['environment.created']);
      expect(await create.execute(by, { name: 'sandbox', production: true })).toMatchObject({
        ok: false,
        error: { code: 'tenancy.environment_name_taken' },
      });
      expect(events).toHaveLength(1);
    });

    it('say in the record when production stops being production, and count every change', async () => {
      const change = new ChangeEnvironment(db.uow, environments, nobodyElse, audit);
      const { id } = await production();
      expect(await change.execute(by, id, { production: false, expectedVersion: 1 })).toMatchObject({
        ok: true,
        value: { outcome: 'done', value: { production: false, version: 2 } },
      });
      expect(await change.execute(by, id, { production: false, expectedVersion: 2 })).toMatchObject({
        value: { value: { version: 2 } },
      });
      expect(await change.execute(by, id, { production: true, expectedVersion: 2 })).toMatchObject({
        value: { value: { version: 3 } },
      });
      expect(events.map(({ action, level, payload }) => ({ action, level, payload }))).toEqual([
        {
          action: 'environment.loosened',
          level: 'full_with_evidence',
          payload: {
            name: 'production',
            before: { production: true, version: 1 },
            after: { production: false, version: 2 },
          },
        },
        expect.objectContaining({ action: 'environment.tightened', level: 'full' }),
      ]);
      expect(await production()).toMatchObject({ production: true, version: 3 });
    });

    it('change for one of two who saw the same version', async () => {
      const change = new ChangeEnvironment(db.uow, environments, nobodyElse, audit);
      const { id } = await production();
      const both = await Promise.all(
        [1, 2].map(() => change.execute(by, id, { production: false, expectedVersion: 1 })),
      );
      expect(both.map((result) => (result.ok ? 'changed' : result.error.code)).sort()).toEqual([
        'changed',
        'tenancy.environment_changed',
      ]);
    });

    it('of another tenant do not exist', async () => {
      const { id } = await production();
      const stranger = await foundTenant();
      const missing = { ok: false, error: { code: 'resource.not_found' } };
      expect(await new GetEnvironment(db.uow, environments).execute(stranger.tenantId, id)).toMatchObject(missing);
      const change = new ChangeEnvironment(db.uow, environments, nobodyElse, audit);
      expect(await change.execute(stranger, id, { production: false, expectedVersion: 1 })).toMatchObject(missing);
      expect(await change.execute(by, newId<EnvironmentId>(), { production: false, expectedVersion: 1 })).toMatchObject(
        missing,
      );
    });

    it('are listed a page at a time', async () => {
      const list = new ListEnvironments(db.uow, environments);
      const names: string[] = [];
      for (let afterName: string | null = null; ;) {
        const [next] = await list.execute(by.tenantId, { limit: 1, afterName });
        if (next === undefined) break;
        names.push(next.name);
        afterName = next.name;
      }
      expect(names).toEqual(['development', 'production', 'staging']);
    });
  });

  describe('secrets', () => {
    const put = (name: string, value: string): Promise<unknown> =>
      new PutSecret(db.uow, vault(), secrets, new TypeormEnvironmentRepository(), nobodyElse, audit).execute(by, {
        name,
        value,
        binding: FOR_SIGN_IN,
      });
    const resolve = (reference: string, tenantId = by.tenantId): Promise<unknown> =>
      db.uow.run(tenantId, (tx) => vault().resolve(tx, reference, { purpose: 'sign_in' }));

    /** Binds renamed and copied secrets, too: then their encryption alone protects them. */
    const boundForSignIn = (tenantId: TenantId, personId: PersonId): Promise<unknown> =>
      db.owner.query(
        `insert into secret_binding (tenant_id, secret_name, purpose, executors, environments, tools, updated_at, updated_by)
         select distinct tenant_id, name, 'sign_in', '{}'::text[], '{}'::text[], '{}'::text[], now(), $2::uuid
           from secret where tenant_id = $1 on conflict do nothing`,
        [tenantId, personId],
      );

    it('are sent to nothing that they are not bound to', async () => {
      await new PutSecret(db.uow, vault(), secrets, new TypeormEnvironmentRepository(), nobodyElse, audit).execute(by, {
        name: 'unbound',
        value: 'x',
      });
      expect(await resolve('unbound@1')).toMatchObject({ ok: false, error: { code: 'secret.not_bound' } });
      await put('issuer', 'x');
      const paged = await db.uow.run(by.tenantId, (tx) => vault().resolve(tx, 'issuer@1', { purpose: 'incidents' }));
      expect(paged).toMatchObject({ ok: false, error: { code: 'secret.not_bound' } });
    });

    it('come back by name and version, and are stored unreadable', async () => {
      expect(await put('deploy-key', 'first värde')).toMatchObject({
        ok: true,
        value: { name: 'deploy-key', version: 1 },
      });
      expect(await put('deploy-key', 'second')).toMatchObject({ ok: true, value: { version: 2 } });
      expect(await resolve('deploy-key@1')).toEqual({ ok: true, value: 'first värde' });
      expect(await resolve('deploy-key@2')).toEqual({ ok: true, value: 'second' });
      const { rows } = await db.owner.query<{ row: string }>(
        "select encode(ciphertext, 'escape') || secret::text as row from secret where tenant_id = $1",
        [by.tenantId],
      );
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toMatch(/first|second/);
      expect(JSON.stringify(events)).not.toMatch(/first|second/);
      expect(events.map((event) => event.subject.id)).toEqual(['deploy-key@1', 'deploy-key@2']);
    });

    it('that are not there are named as such, the other tenant’s among them', async () => {
      await put('deploy-key', 'x');
      const stranger = await foundTenant();
      for (const [reference, tenantId] of [
        ['deploy-key@2', by.tenantId],
        ['other@1', by.tenantId],
        ['deploy-key@1', stranger.tenantId],
      ] as const) {
        expect(await resolve(reference, tenantId)).toMatchObject({ ok: false, error: { code: 'secret.unknown' } });
      }
      expect(await resolve('deploy-key')).toMatchObject({ ok: false, error: { code: 'secret.invalid_reference' } });
    });

    it('are numbered without gaps or doubles when stored at once', async () => {
      await Promise.all(Array.from({ length: 8 }, (_, index) => put('busy', String(index))));
      const listed = await new ListSecrets(db.uow, vault()).execute(by.tenantId, { limit: 100, after: null });
      expect(listed.map((secret) => secret.version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(listed.every((secret) => !('value' in secret) && !('ciphertext' in secret))).toBe(true);
      const rest = await new ListSecrets(db.uow, vault()).execute(by.tenantId, {
        limit: 3,
        after: { name: 'busy', version: 4 },
      });
      expect(rest.map((secret) => secret.version)).toEqual([5, 6, 7]);
    });

    it.each([
      ['another version', 'update secret set version = 2 where tenant_id = $1'],
      ['another name', "update secret set name = 'other' where tenant_id = $1"],
      [
        'a changed byte',
        'update secret set ciphertext = set_byte(ciphertext, 0, get_byte(ciphertext, 0) # 1) where tenant_id = $1',
      ],
      [
        'a changed tag',
        'update secret set ciphertext = substr(ciphertext, 1, length(ciphertext) - 1) where tenant_id = $1',
      ],
      ['another nonce', 'update secret set nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) where tenant_id = $1'],
    ])('do not open under %s', async (_what, tamper) => {
      await put('deploy-key', 'a long enough value');
      await db.owner.query(tamper, [by.tenantId]);
      await boundForSignIn(by.tenantId, by.personId);
      const { rows } = await db.owner.query<{ reference: string }>(
        "select name || '@' || version as reference from secret where tenant_id = $1",
        [by.tenantId],
      );
      expect(await resolve(rows[0]?.reference ?? '')).toMatchObject({ ok: false, error: { code: 'secret.corrupt' } });
    });

    it('do not open in another tenant, even where their rows were copied there', async () => {
      await put('deploy-key', 'x');
      const stranger = await foundTenant();
      await db.owner.query(
        `insert into secret select $2, id, name, version, key_id, nonce, ciphertext, created_at, $3 from secret where tenant_id = $1`,
        [by.tenantId, stranger.tenantId, stranger.personId],
      );
      await boundForSignIn(stranger.tenantId, stranger.personId);
      expect(await resolve('deploy-key@1', stranger.tenantId)).toMatchObject({
        ok: false,
        error: { code: 'secret.corrupt' },
      });
    });

    it('open under an old key after a new one came, and are encrypted anew by a rotation', async () => {
      await put('deploy-key', 'x');
      const oldKey = (await keyring.current()).id;
      const newKey = await keyring.addKey();
      expect(newKey).not.toBe(oldKey);
      expect(await resolve('deploy-key@1')).toEqual({ ok: true, value: 'x' });
      await put('deploy-key', 'y');

      const rotate = new RotateSecrets(db.uow, secrets, new AesGcmSecretCipher(keyring), keyring, audit, []);
      expect(await rotate.execute(by)).toEqual({ ok: true, value: 1 });
      expect(await rotate.execute(by)).toEqual({ ok: true, value: 0 });
      expect(events.at(-1)).toMatchObject({
        action: 'secret.rotated',
        payload: { key_id: newKey, secrets: ['deploy-key@1'] },
      });

      // The old key can go now.
      const content = JSON.parse(readFileSync(join(directory, 'keyring.json'), 'utf8')) as {
        keys: Record<string, string>;
      };
      writeFileSync(
        join(directory, 'keyring.json'),
        JSON.stringify({ current: newKey, keys: { [newKey]: content.keys[newKey] } }),
      );
      expect(await resolve('deploy-key@1')).toEqual({ ok: true, value: 'x' });
      expect(await resolve('deploy-key@2')).toEqual({ ok: true, value: 'y' });
    });

    it('say which key is missing', async () => {
      await put('deploy-key', 'x');
      writeFileSync(
        join(directory, 'keyring.json'),
        JSON.stringify({ current: 'other', keys: { other: Buffer.alloc(32, 1).toString('base64') } }),
      );
      expect(await resolve('deploy-key@1')).toMatchObject({ ok: false, error: { code: 'secret.key_missing' } });
    });

    it('are not stored where their record can’t be written', async () => {
      const failing: AuditSink = { record: () => Promise.reject(new Error('no audit')) };
      await expect(
        new PutSecret(db.uow, vault(), secrets, new TypeormEnvironmentRepository(), nobodyElse, failing).execute(by, {
          name: 'k',
          value: 'x',
        }),
      ).rejects.toThrow('no audit');
      expect(await resolve('k@1')).toMatchObject({ ok: false, error: { code: 'secret.unknown' } });
    });

    it('belong to a person of the tenant (23503)', async () => {
      const stranger = { ...by, personId: newId<PersonId>() };
      const error: unknown = await new PutSecret(
        db.uow,
        vault(),
        secrets,
        new TypeormEnvironmentRepository(),
        nobodyElse,
        audit,
      )
        .execute(stranger, { name: 'k', value: 'x' })
        .catch((thrown: unknown) => thrown);
      expect(isSqlError(error, '23503', 'secret_created_by_fk')).toBe(true);
    });
  });

  describe('the keyring', () => {
    const file = (): string => join(directory, 'keyring.json');

    it('is made once, for its owner alone, and stays', async () => {
      expect(statSync(file()).mode & 0o777).toBe(0o600);
      const before = readFileSync(file(), 'utf8');
      await openKeyring({}, directory);
      expect(readFileSync(file(), 'utf8')).toBe(before);
      await keyring.addKey();
      expect(statSync(file()).mode & 0o777).toBe(0o600);
    });

    it('is one for all who start together', async () => {
      const fresh = join(directory, 'fresh');
      const opened = await Promise.all(Array.from({ length: 10 }, () => openKeyring({}, fresh)));
      const ids = await Promise.all(opened.map(async (each) => (await each.current()).id));
      expect(new Set(ids).size).toBe(1);
      expect(readdirSync(fresh)).toEqual(['keyring.json']);
    });

    it('is refused when others may read it', async () => {
      chmodSync(file(), 0o640);
      await expect(openKeyring({}, directory)).rejects.toThrow('can be read by others');
    });

    it('must be there where COUNTERSIGN_KEYRING names one', async () => {
      await expect(openKeyring({ COUNTERSIGN_KEYRING: join(directory, 'none.json') }, directory)).rejects.toThrow(
        'There is no keyring at',
      );
    });

    it.each([
      ['is not JSON', 'hunter2'],
      ['has a short key', JSON.stringify({ current: 'a', keys: { a: 'aHVudGVyMg==' } })],
      [
        'names a key it does not have',
        JSON.stringify({ current: 'b', keys: { a: Buffer.alloc(32).toString('base64') } }),
      ],
    ])('is refused when it %s, and nothing of it is repeated', async (_what, content) => {
      writeFileSync(file(), content);
      const error: unknown = await keyring.current().catch((thrown: unknown) => thrown);
      expect(String(error)).toContain('is not one');
      expect(String(error)).not.toMatch(/hunter2|aHVudGVyMg/);
    });
  });
});
