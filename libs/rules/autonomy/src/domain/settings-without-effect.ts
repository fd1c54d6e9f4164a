import type { AutonomyMode } from '#lib/formats';
import type { FieldError } from '#lib/kernel';
import { positionOf, pointerOf } from './explain-issue.js';
import type { SourcedDocument } from './read-document.js';

/** The largest batch of a production change, despite any document (policies/safety). */
const PRODUCTION_BATCH_PERCENT = 20;

const RANK: Readonly<Record<AutonomyMode, number>> = { plan_only: 0, canary_only: 1, full_auto: 2 };

/**
 * Settings that no policy reads, each with its line, as warnings: their author expects an effect. They open nothing, so the
 * document is not refused.
 */
export function settingsWithoutEffect(
  { document: { autonomy }, yaml }: SourcedDocument,
  environments: readonly { readonly name: string; readonly production: boolean }[],
): FieldError[] {
  const found: FieldError[] = [];
  const add = (path: readonly string[], message: string): void => {
    const pointer = pointerOf(['autonomy', ...path]);
    found.push({ pointer, code: 'autonomy.without_effect', message, ...positionOf(pointer, yaml) });
  };
  const named = Object.entries(autonomy.environments ?? {});
  for (const [name, { max_batch_percent: percent, require_approval: approval }] of named) {
    if (environments.find((environment) => environment.name === name)?.production !== true) continue;
    if (percent !== undefined && percent > PRODUCTION_BATCH_PERCENT)
      add(
        ['environments', name, 'max_batch_percent'],
        `This does nothing for a change of two or more targets. ${name} is production, where no batch is larger than ${String(PRODUCTION_BATCH_PERCENT)} percent.`,
      );
    if (approval === false)
      add(
        ['environments', name, 'require_approval'],
        `This does nothing for tools that change production: ${name} is production, and they always take an approval.`,
      );
  }
  const modes = [autonomy.mode, ...named.map(([, { mode }]) => mode)].filter((mode) => mode !== undefined);
  const loosest = Math.max(RANK.plan_only, ...modes.map((mode) => RANK[mode]));
  for (const [tool, override] of Object.entries(autonomy.tool_overrides ?? {})) {
    const { mode } = override;
    if (mode === 'full_auto' || (mode !== undefined && RANK[mode] > loosest))
      add(
        ['tool_overrides', tool, 'mode'],
        `This does nothing: an override only tightens, and ${mode} is ${mode === 'full_auto' ? 'the loosest mode there is' : 'looser than every environment'}.`,
      );
    for (const key of ['require_approval', 'require_mfa'] as const) {
      if (override[key] === false)
        add(['tool_overrides', tool, key], 'This does nothing: an override only tightens, so it can say true alone.');
    }
  }
  return found;
}
