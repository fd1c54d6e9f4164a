import { bytes, entity, moment, nullable, text, uuid } from '#lib/database';
import type { PersonId, SiemCollectorId } from '#lib/kernel';

export const siemCollectorEntity = entity(
  'siem_collector',
  { id: uuid<SiemCollectorId>() },
  {
    url: text(),
    ca: nullable(text()),
    keyId: nullable(text()),
    nonce: nullable(bytes()),
    ciphertext: nullable(bytes()),
    sentAt: nullable(moment()),
    error: nullable(text()),
    errorAt: nullable(moment()),
    createdBy: uuid<PersonId>(),
    createdAt: moment(),
  },
);
