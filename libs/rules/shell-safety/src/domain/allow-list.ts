import { ALLOWED_AFTER_APPROVAL, ALWAYS_ALLOWED } from './table/allow-list.js';
import type { AllowListing, Part, Tier } from './verdict.js';

/** The reason of a program that reads. printenv has no other, though it is Tier 2. */
const READS = 'shell.read_only';

/**
 * The verdict of a terminal's allow-list. A program that is always allowed is so as long as it only reads, and no secret: others
 * ask. The list holds for each program that another one executes: `env rm x` is blocked.
 *
 * @param plain true if the line is one program and its words, without any operator of the shell
 */
export function allowListingOf(tier: Tier, parts: readonly Part[], plain: boolean): AllowListing {
  if (!plain || tier === 3) return 'blocked';
  let listing: AllowListing = 'allowed';
  for (const { program, class: shellClass, reasons } of parts) {
    if (reasons.some(({ code }) => code !== READS)) listing = 'after_approval';
    if (program === null || shellClass === 'DESTRUCTIVE') return 'blocked';
    if (ALLOWED_AFTER_APPROVAL.has(program)) listing = 'after_approval';
    else if (!ALWAYS_ALLOWED.has(program)) return 'blocked';
  }
  return listing;
}
