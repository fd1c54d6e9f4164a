import { z } from 'zod';

/** The role that every person of the tenant fills. */
export const ANY_ROLE = 'any';

const roleSchema = z.string().min(1).max(200);

/** `count` distinct people, each holding one of `roles` (`["any"]`: any person of the tenant). */
export const approvalSlotSchema = z
  .strictObject({ count: z.int().min(1).max(100), roles: z.array(roleSchema).min(1).max(100) })
  .meta({ id: 'ApprovalSlot' });
export type ApprovalSlot = z.infer<typeof approvalSlotSchema>;
