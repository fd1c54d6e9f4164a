import { boolean, bytes, entity, integer, moment, text, texts, uuid } from '#lib/database';
import type { EnvironmentId } from '#lib/kernel';
import type { SecretPurpose } from '../domain/secret-binding.js';

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
