import { z } from 'zod';
import { approvalSlotSchema } from './approval-slot.js';
import { AUTONOMY_MODES } from './autonomy-document.js';
import { CONFIRM_WORD } from './states.js';

/** How much of an action is kept (ADR-009), the least first. */
export const AUDIT_LEVELS = ['basic', 'detailed', 'full', 'full_with_evidence', 'critical'] as const;

/** The obligations that TypeScript carries out if a decision does not deny. Every slot needs a distinct person of its own. */
export const obligationsSchema = z
  .strictObject({
    approvals: z.array(approvalSlotSchema).max(50),
    mfa: z.boolean(),
    phases: z.enum(['all', 'canary']),
    audit_level: z.enum(AUDIT_LEVELS),
    /** How long an approval stays good. */
    valid_minutes: z.int().min(1),
    /** The word that a person has to type to approve; absent if none is asked for. */
    confirm_word: z.literal(CONFIRM_WORD).exactOptional(),
  })
  .meta({ id: 'Obligations' });
export type Obligations = z.infer<typeof obligationsSchema>;

/** A reason for a policy's decision: the code and the details for programs, the message for people. */
export const reasonSchema = z
  .strictObject({
    code: z.string().regex(/^[a-z_]+\.[a-z_]+$/, 'must be two names in lower case with a dot between'),
    message: z.string().min(1),
    rule: z.string().min(1),
    details: z
      .strictObject({
        until: z.iso.datetime().meta({ description: 'Of `freeze.active`: the end of the freeze, UTC.' }),
      })
      .exactOptional(),
  })
  .meta({ id: 'Reason' });

/** The mode in force and the line of the autonomy document it comes from; `default` if the tenant has no document. */
export const effectiveSchema = z
  .strictObject({ mode: z.enum(AUTONOMY_MODES), source: z.string().min(1) })
  .meta({ id: 'EffectiveAutonomy' });

export const OUTCOMES = ['allow', 'require_approval', 'deny'] as const;

export const outcomeSchema = z.enum(OUTCOMES).meta({ id: 'Outcome' });
export type Outcome = z.infer<typeof outcomeSchema>;

/** The result of every entrypoint. A result of any other shape is a deny (T23). */
export const decisionSchema = z
  .strictObject({
    outcome: outcomeSchema,
    reasons: z.array(reasonSchema).min(1),
    obligations: obligationsSchema,
    effective: effectiveSchema,
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof decisionSchema>;

/** The terms on which something was approved or started, kept to see later whether policy has become stricter. */
export const approvedTermsSchema = z
  .strictObject({ outcome: outcomeSchema, obligations: obligationsSchema, effective: effectiveSchema })
  .meta({ id: 'ApprovedTerms' });
export type ApprovedTerms = z.infer<typeof approvedTermsSchema>;
