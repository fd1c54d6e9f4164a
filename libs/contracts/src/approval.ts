import { z } from 'zod';

export const APPROVAL_STATES = ['open', 'granted', 'denied', 'changes_requested', 'expired', 'voided', 'consumed'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

export const VERDICTS = ['approve', 'reject', 'request_changes'] as const;
export type Verdict = (typeof VERDICTS)[number];

const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/**
 * Digests of everything an approver saw. An approval holds for exactly these; the executing process checks them again.
 */
export const approvalBindingSchema = z
  .strictObject({
    task: digest,
    environment: digest,
    plan: digest,
    /** By `name@version`. */
    tools: z.record(z.string(), digest),
    /** By executor name. */
    executors: z.record(z.string(), digest),
    simulation: digest.nullable(),
  })
  .meta({ id: 'ApprovalBinding' });
export type ApprovalBinding = z.infer<typeof approvalBindingSchema>;

export const openApprovalRequestSchema = z
  .strictObject({
    start: z.enum(['on_approval', 'manual', 'at']).default('on_approval'),
    start_at: z.iso.datetime().optional(),
  })
  .refine((body) => (body.start === 'at') === (body.start_at !== undefined), {
    message: '"start_at" goes with start "at", and only with it',
    path: ['start_at'],
  })
  .meta({ id: 'OpenApprovalRequest' });
export type OpenApprovalRequestBody = z.infer<typeof openApprovalRequestSchema>;

export const reviewSchema = z
  .strictObject({
    verdict: z.enum(VERDICTS),
    comment: z.string().max(4_000).optional(),
    /** The plan digest the reviewer saw. */
    plan_digest: digest,
  })
  .refine((body) => body.verdict === 'approve' || (body.comment ?? '').trim() !== '', {
    message: 'say what is wrong: a comment is needed to reject or to request changes',
    path: ['comment'],
  })
  .meta({ id: 'SubmitReview' });
export type SubmitReviewBody = z.infer<typeof reviewSchema>;
