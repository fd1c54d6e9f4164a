import fc from 'fast-check';
import type { EnvironmentId } from '#lib/kernel';
import {
  changeEnvironment,
  checkEnvironmentName,
  checkTenant,
  INITIAL_ENVIRONMENTS,
  type Environment,
} from './environment.js';
import { checkSecret, formatSecretReference, MAX_SECRET_BYTES, parseSecretReference } from './secret-reference.js';

const environment: Environment = {
  id: '00000000-0000-7000-8000-000000000001' as EnvironmentId,
  name: 'production',
  production: true,
  version: 3,
  createdAt: 1_000,
  updatedAt: 2_000,
};

describe('an environment', () => {
  it.each([
    [true, false, { production: false, version: 4, updatedAt: 5_000 }, true],
    [false, true, { production: true, version: 4, updatedAt: 5_000 }, false],
    [true, true, { version: 3, updatedAt: 2_000 }, false],
    [false, false, { version: 3, updatedAt: 2_000 }, false],
  ])('changes its production flag from %s to %s', (from, to, next, loosened) => {
    expect(changeEnvironment({ ...environment, production: from }, to, 5_000)).toMatchObject({ next, loosened });
  });

  it.each(['', 'Prod', '-prod', 'prod-', 'a b', 'prod\n', 'ä', 'a'.repeat(64)])('is not named %j', (name) => {
    expect(checkEnvironmentName(name)).toMatchObject({
      ok: false,
      error: { code: 'tenancy.invalid_environment_name' },
    });
  });

  it('is one of three at first, of which one is production', () => {
    expect(INITIAL_ENVIRONMENTS.filter((initial) => initial.production).map((initial) => initial.name)).toEqual([
      'production',
    ]);
    for (const { name } of INITIAL_ENVIRONMENTS) expect(checkEnvironmentName(name).ok).toBe(true);
  });
});

describe('a tenant', () => {
  it.each([
    [{ slug: 'acme', name: 'Acme' }, true],
    [{ slug: 'Acme', name: 'Acme' }, false],
    [{ slug: 'a_b', name: 'Acme' }, false],
    [{ slug: 'acme', name: '' }, false],
  ])('%j may be founded: %s', (tenant, may) => {
    expect(checkTenant(tenant).ok).toBe(may);
  });
});

describe('a secret reference', () => {
  it('reads its own document back', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/),
        fc.integer({ min: 1, max: 999_999_999 }),
        (name, version) => {
          expect(parseSecretReference(formatSecretReference({ name, version }))).toEqual({
            ok: true,
            value: { name, version },
          });
        },
      ),
    );
  });

  it.each(['', 'a', 'a@', '@1', 'a@0', 'a@01', 'a@1 ', 'a@-1', 'a@1.5', 'a@1@2', 'a b@1', 'a@1000000000'])(
    'is not %j',
    (text) => {
      expect(parseSecretReference(text)).toMatchObject({ ok: false, error: { code: 'secret.invalid_reference' } });
    },
  );
});

describe('a secret', () => {
  it.each([
    ['deploy-key', 'x', 'ok'],
    ['deploy-key', '', 'secret.empty'],
    ['deploy-key', 'x'.repeat(MAX_SECRET_BYTES), 'ok'],
    ['deploy-key', 'ä'.repeat(MAX_SECRET_BYTES / 2 + 1), 'secret.too_large'],
    ['deploy-key', '\ud800', 'secret.too_large'],
    ['deploy key', 'x', 'secret.invalid_name'],
    ['', 'x', 'secret.invalid_name'],
  ])('named %j is checked', (name, value, outcome) => {
    const checked = checkSecret(name, value);
    expect(checked.ok ? 'ok' : checked.error.code).toBe(outcome);
  });
});
