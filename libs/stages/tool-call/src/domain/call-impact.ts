import type { JsonObject } from '#lib/canonical';
import { maskSecretText } from '#lib/kernel';
import { commandLineOf, liftsRisk, type ToolVersion } from '#lib/tool';
import type { PathVerdict, ShellVerdict } from '#lib/shell-safety';
import { reasonsInWords, visibleText } from '#lib/words';

/** The facts that the line is made of. */
interface ImpactOf {
  readonly tool: Pick<ToolVersion, 'name' | 'definition'>;
  readonly environment: string;
  readonly arguments: JsonObject;
  readonly targets: readonly string[];
  readonly shell: Pick<ShellVerdict, 'tier' | 'class' | 'network'> | null;
  readonly paths: PathVerdict | null;
}

const MAX_TARGETS = 5;
const LONGEST = 300;

const VERBS = { read: 'reads', modify: 'changes', destructive: 'destroys or replaces' } as const;

/** The effect of a call in one line for people: from the call alone, never from the agent's words (T11). */
export function callImpact({ tool, environment, arguments: args, targets, shell, paths }: ImpactOf): string {
  const line = commandLineOf(tool, args);
  if (line === null || shell === null) {
    const does = cut(`${tool.name} ${VERBS[tool.definition.effect]} ${objectOf(targets)} in ${environment}.`);
    if (paths === null || !liftsRisk(paths)) return does;
    // First of all: a long list of targets never hides the reason.
    return `Tier ${String(paths.tier)}, ${paths.class}: ${cut(shown(reasonsInWords(paths)))} ${does}`;
  }
  const network = shell.network ? ', uses the network' : '';
  const verdict = `Tier ${String(shell.tier)}, ${shell.class}${network}`;
  const whole = `${tool.name} executes in ${environment} (${verdict}): `;
  return `${whole}${cut(shown(line.text))}`;
}

function objectOf(targets: readonly string[]): string {
  if (targets.length === 0) return 'something without a named target';
  const named = targets.slice(0, MAX_TARGETS).map(shown).join(', ');
  const more = targets.length - MAX_TARGETS;
  return more > 0 ? `${named} and ${String(more)} more` : named;
}

/** Text of the caller in one line, without secrets, and with each hidden character by its name (T10). */
const shown = (text: string): string => visibleText(maskSecretText(text).replace(/\s+/g, ' '), 'whole');

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
