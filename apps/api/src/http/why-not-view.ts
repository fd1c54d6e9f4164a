import type { WhyNotView } from '#lib/api-schemas';
import type { Failure } from '#lib/kernel';

/** A refusal as it is told before anybody tries. */
export const whyNotView = ({ code, message, action }: Failure): WhyNotView => ({
  code,
  message,
  ...(action === undefined ? {} : { action }),
});
