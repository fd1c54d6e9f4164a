import type { Json } from '#lib/canonical';
import { newId, type ChangeRequestId, type ProposedChange } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { openChange, type OpenChange } from '../domain/change-request.js';

const proposed = (payload: Json): ProposedChange => ({
  kind: 'environment',
  subject: { type: 'environment', id: 'production' },
  what: 'production no longer counts as production',
  payload,
  base: { version: 1 },
  loosens: ['production asks for less'],
  detail: {},
});

/** A change of an environment that the admin asked for. */
export const sampleChange = ({ admin }: SampleTenant, openedAt: number, payload: Json = null): OpenChange =>
  openChange(
    proposed(payload),
    {
      id: newId<ChangeRequestId>(),
      requestedBy: admin.personId,
      credentialId: admin.credentialId,
      why: 'It is retired.',
    },
    null,
    openedAt,
  );
