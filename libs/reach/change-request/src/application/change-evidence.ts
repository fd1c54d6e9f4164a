import type { JsonObject } from '#lib/canonical';
import type { ChangeRequestId, Tx } from '#lib/kernel';
import { changeDocument } from '../domain/change-request.js';
import type { ChangeRequestRepository } from './change-request.ports.js';

interface ChangeEvidenceDocument {
  readonly kind: 'change-request';
  readonly id: string;
  readonly document: JsonObject;
}

/** The evidence of a change: the request as it was made. The audit entries hold the decision and its effect. */
export class ChangeEvidence {
  readonly section = 'change';

  constructor(private readonly changes: ChangeRequestRepository) {}

  async collect(tx: Tx, id: ChangeRequestId): Promise<readonly ChangeEvidenceDocument[]> {
    const found = await this.changes.find(tx, id);
    return found === null ? [] : [{ kind: 'change-request', id, document: changeDocument(found.change) }];
  }
}
