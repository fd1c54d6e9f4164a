import type { ShellVerdictView } from '#lib/api-schemas';
import type { ShellVerdict } from '#lib/shell-safety';

/** A verdict on a command line as the API answers it. */
export const shellVerdictView = (verdict: ShellVerdict): ShellVerdictView => ({
  shell: verdict.shell,
  tier: verdict.tier,
  class: verdict.class,
  allow_listed: verdict.allowListed,
  network: verdict.network,
  parts: verdict.parts.map(({ reasons, ...part }) => ({ ...part, reasons: reasons.map((reason) => ({ ...reason })) })),
});
