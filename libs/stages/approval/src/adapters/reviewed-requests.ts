import { z } from 'zod';
import { deepFreeze } from '#lib/canonical';
import { MalformedRecordError } from '#lib/database';
import type { ApprovalRequestId, RowSeals, Tx } from '#lib/kernel';
import type { Absence } from '../domain/absence.js';
import type { ReviewedRequest } from '../domain/decide-review.js';
import { authenticAbsences } from './absence-rows.js';
import { absenceEntity, approvalRequestEntity, reviewEntity } from './approval.entity.js';
import { authenticRequest, authenticReviews } from './approval-seals.js';

const REQUEST = approvalRequestEntity.all;
const REVIEW = reviewEntity.all;
const ABSENCE = absenceEntity.all;

/** As many requests as runs are under way at once, and more. */
const MAX_REQUESTS = 1_000;

/** A request as a function of a later library returns it. */
export const reviewedRowsSchema = z.object({
  /** Of the request's row and of its reviews' rows. */
  version: z.string(),
  /** The request and the reviews that count; null if the caller knows this version. */
  request: z.unknown().transform((row) => (row === null ? null : REQUEST.parse(row))),
  reviews: z.array(z.unknown().transform((row) => REVIEW.parse(row))).nullable(),
  /** The absences by which people approved for others. */
  absences: z.array(z.unknown().transform((row) => ABSENCE.parse(row))),
});

type Rows = z.infer<typeof reviewedRowsSchema>;

/** A verified request, and the version of its rows. */
export interface KeptRequest {
  readonly version: string;
  readonly reviewed: ReviewedRequest;
}

/** A request with the reviews that count, and with the absences by which people approved for others. */
export interface RequestWithAbsences extends ReviewedRequest {
  readonly absences: readonly Absence[];
}

/**
 * Requests with the reviews that count. Each version of their rows is parsed and verified once. PostgreSQL gives every rewritten row
 * another version. So a row that was altered in the database is verified again. The kept request is frozen, since many readers
 * share it.
 */
export class ReviewedRequests {
  /** By tenant and request, the latest used last. */
  readonly #kept = new Map<string, KeptRequest>();

  constructor(private readonly seals: RowSeals) {}

  kept(tx: Pick<Tx, 'tenantId'>, id: ApprovalRequestId): KeptRequest | null {
    return this.#kept.get(keyOf(tx, id)) ?? null;
  }

  /**
   * @param kept as the function that answered with the rows knew it.
   * @throws {FailureError} `record.not_authentic` if Countersign did not write the request or a review.
   */
  async of(
    tx: Tx,
    id: ApprovalRequestId,
    { version, request, reviews, absences }: Rows,
    kept: KeptRequest | null,
  ): Promise<RequestWithAbsences> {
    const reviewed = kept?.version === version ? kept.reviewed : await this.#verified(tx, id, request, reviews);
    this.#keep(keyOf(tx, id), { version, reviewed });
    return { ...reviewed, absences: await authenticAbsences(this.seals, tx, absences) };
  }

  async #verified(tx: Tx, id: string, request: Rows['request'], reviews: Rows['reviews']): Promise<ReviewedRequest> {
    if (request === null || reviews === null)
      throw new MalformedRecordError({ table: 'approval_request', id }, 'It came without its columns.');
    return deepFreeze({
      request: await authenticRequest(this.seals, tx, request),
      reviews: await authenticReviews(this.seals, tx, reviews),
    });
  }

  #keep(key: string, kept: KeptRequest): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_REQUESTS && oldest !== undefined) this.#kept.delete(oldest);
  }
}

const keyOf = ({ tenantId }: Pick<Tx, 'tenantId'>, id: ApprovalRequestId): string => `${tenantId}/${id}`;
