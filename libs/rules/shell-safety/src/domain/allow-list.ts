import type { ParsedScript } from 'unbash';
import { plainCommand } from './plain-command.js';
import { ALLOWED_AFTER_APPROVAL, ALWAYS_ALLOWED } from './table/allow-list.js';
import type { AllowListing, Part } from './verdict.js';

/** The reason of a program that reads. printenv has no other, though it is Tier 2. */
const READS = 'shell.read_only';

/**
 * The verdict of a terminal's allow-list on a line that is not denied. The line is one program and its words, without
 * shell operators. A program that is always allowed is so as long as it only reads, and no secret: others ask. The list
 * holds for each program that another one executes: `env rm x` is blocked.
 */
export function allowListingOf(parts: readonly Part[], script: ParsedScript, line: string): AllowListing {
  const listing = listingOf(parts);
  return listing === 'blocked' || plainCommand(script, line) === null ? 'blocked' : listing;
}

function listingOf(parts: readonly Part[]): AllowListing {
  let listing: AllowListing = 'allowed';
  for (const { program, class: shellClass, reasons } of parts) {
    if (program === null || shellClass === 'DESTRUCTIVE') return 'blocked';
    if (ALLOWED_AFTER_APPROVAL.has(program)) listing = 'after_approval';
    else if (!ALWAYS_ALLOWED.has(program)) return 'blocked';
    if (reasons.some(({ code }) => code !== READS)) listing = 'after_approval';
  }
  return listing;
}
