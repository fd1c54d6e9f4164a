import type { PathVerdictView } from '#lib/api-schemas';
import type { PathVerdict } from '#lib/shell-safety';

/** A verdict on paths as the API answers it. */
export const pathVerdictView = ({ tier, class: of, reasons }: PathVerdict): PathVerdictView => ({
  tier,
  class: of,
  reasons: reasons.map((reason) => ({ ...reason })),
});
