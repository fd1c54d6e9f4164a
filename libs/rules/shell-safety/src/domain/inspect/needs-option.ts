import type { Finding, Inspect } from '../inspection.js';

/** For a program that only reads if one of the options is given, with a value or without: `crontab -l`, `top -l 1`. */
export function needsOption(options: string, finding: Finding): Inspect {
  const names = new Set(options.split(' '));
  return (_words, _row, call) => (call.options.some(({ name }) => names.has(name)) ? [] : [finding]);
}
