import { z } from 'zod';
import { anyJson, anyJsonObject, entity, json, jsonText, moment, nullable, text, uuid } from '#lib/database';
import type { MfaMethod } from '#lib/identity';
import type { ChangeKind, ChangeRequestId, CredentialId, Digest, PersonId } from '#lib/kernel';
import type { ChangeRequest } from '../domain/change-request.js';

/** The digest and the seal are over the text. The library that asked for a change parses its payload. */
const canonical = jsonText(anyJson);

export const changeRequestEntity = entity(
  'change_request',
  { id: uuid<ChangeRequestId>() },
  {
    kind: text<ChangeKind>(),
    state: text<ChangeRequest['state']>(),
    subjectType: text(),
    subjectId: text(),
    what: text(),
    payload: canonical,
    baseDigest: text<Digest>(),
    changeDigest: text<Digest>(),
    loosens: json<readonly string[]>(z.array(z.string())),
    detail: jsonText(anyJsonObject),
    requiredRole: text(),
    requestedBy: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    beneficiaryId: nullable(uuid<PersonId>()),
    openedAt: moment(),
    expiresAt: moment(),
    closedAt: nullable(moment()),
    closedBy: nullable(uuid<PersonId>()),
    closedReason: nullable(text()),
    reason: text(),
    mfaMethod: nullable(text<MfaMethod>()),
    mfaProvedAt: nullable(moment()),
    seal: text(),
  },
);
