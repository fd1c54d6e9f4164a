import { settingsInWords } from './settings-words.js';

const settings = { preset: null, level: 'CAUTIOUS', mode: 'ask-on-write' } as const;

describe('the settings of a session in words', () => {
  it('name the level or the mode only if it counts', () => {
    expect(settingsInWords(settings)).toBe('The stricter of tiers and levels. Cautious: medium risk asks');
    expect(settingsInWords({ ...settings, preset: 'levels' })).toBe('Levels of risk. Cautious: medium risk asks');
    expect(settingsInWords({ ...settings, preset: 'modes' })).toBe('Modes: Writes ask');
    expect(settingsInWords({ ...settings, preset: 'tiers' })).toBe('Tiers of command lines');
    expect(settingsInWords({ ...settings, preset: 'cautious' })).toBe('Cautious');
  });
});
