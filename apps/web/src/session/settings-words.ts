import type { SessionView } from '#lib/api-schemas';

type Settings = Pick<SessionView, 'preset' | 'level' | 'mode'>;

const PRESET_WORDS: Readonly<Record<NonNullable<Settings['preset']> | '', string>> = {
  '': 'The stricter of tiers and levels',
  tiers: 'Tiers of command lines',
  levels: 'Levels of risk',
  modes: 'Modes',
  cautious: 'Cautious',
};

const LEVEL_WORDS: Readonly<Record<Settings['level'], string>> = {
  MANUAL: 'Manual: every call asks',
  CAUTIOUS: 'Cautious: medium risk asks',
  SUPERVISED: 'Supervised: high risk asks',
  FULL_AUTO: 'Full auto: critical risk asks',
};

const MODE_WORDS: Readonly<Record<Settings['mode'], string>> = {
  'always-ask': 'Every call asks',
  'ask-on-write': 'Writes ask',
  'ask-on-external': 'Terminal, network and git writes ask',
  'allow-safe-readonly': 'High risk asks',
};

// `Object.entries` forgets the type of the keys.
const entriesOf = <Name extends string>(words: Readonly<Record<Name, string>>): readonly (readonly [Name, string])[] =>
  Object.entries(words) as [Name, string][];

/** Each setting with its words, to choose from. No preset is the empty text. */
export const PRESETS = entriesOf(PRESET_WORDS);
export const LEVELS = entriesOf(LEVEL_WORDS);
export const MODES = entriesOf(MODE_WORDS);

/** Which calls ask a person, in words. */
export function settingsInWords({ preset, level, mode }: Settings): string {
  const rules = PRESET_WORDS[preset ?? ''];
  if (preset === 'modes') return `${rules}: ${MODE_WORDS[mode]}`;
  return preset === 'tiers' || preset === 'cautious' ? rules : `${rules}. ${LEVEL_WORDS[level]}`;
}
