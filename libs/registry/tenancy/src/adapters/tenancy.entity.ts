import { boolean, bytes, entity, globalEntity, integer, moment, text, texts, uuid } from '#lib/database';
import type { EnvironmentId, TenantId } from '#lib/kernel';
import type { SecretPurpose } from '../domain/secret-binding.js';

/** Its rows are the tenants, so that it has no column for one. */
export const tenantEntity = globalEntity(
  'tenant',
  { id: uuid<TenantId>() },
  { slug: text(), name: text(), createdAt: moment() },
);

export const environmentEntity = entity(
  'environment',
  { id: uuid<EnvironmentId>() },
  { name: text(), production: boolean(), version: integer(), createdAt: moment(), updatedAt: moment() },
);

export const secretEntity = entity(
  'secret',
  { id: uuid() },
  {
    name: text(),
    version: integer(),
    keyId: text(),
    nonce: bytes(),
    ciphertext: bytes(),
    createdAt: moment(),
    createdBy: uuid(),
  },
);

export const secretBindingEntity = entity(
  'secret_binding',
  { secretName: text() },
  {
    purpose: text<SecretPurpose>(),
    executors: texts(),
    environments: texts(),
    tools: texts(),
    updatedAt: moment(),
    updatedBy: uuid(),
  },
);
