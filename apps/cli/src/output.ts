import pc from 'picocolors';

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Output {
  readonly json: boolean;
  /** The command's result: `lines` for people, or `value` as JSON with --json. */
  result(value: unknown, lines: readonly string[]): void;
  /** Progress and hints; silent with --json. */
  note(text: string): void;
}

export function terminalOutput(json: boolean): Output {
  return {
    json,
    result: (value, lines) => {
      process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${lines.join('\n')}\n`);
    },
    note: (text) => {
      if (!json) process.stderr.write(`${text}\n`);
    },
  };
}

// Text of agents and of tool servers ends up in a terminal: what could move its cursor or turn its writing around is shown instead.
// eslint-disable-next-line no-control-regex -- exactly these are made visible
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Text from outside, with control, zero-width and bidirectional-formatting characters made visible (T10). */
export const safe = (text: string): string =>
  text.replace(
    unprintable,
    (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );

/** Columns of text, each as wide as its widest cell. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [header, ...rows].map((row) => row.map(safe));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [pc.dim(lineOf(cells[0] ?? [])), ...cells.slice(1).map(lineOf)];
}

const good = new Set([
  'approved',
  'granted',
  'completed',
  'executed',
  'succeeded',
  'consumed',
  'validated',
  'simulated',
  'allow',
]);
const bad = new Set([
  'denied',
  'rejected',
  'failed',
  'rollback_failed',
  'invalid',
  'expired',
  'voided',
  'deny',
  'rolled_back',
  'unknown',
  'cancelled',
]);

/** A state's name in the colour of its meaning. */
export function state(name: string): string {
  if (good.has(name)) return pc.green(name);
  return bad.has(name) ? pc.red(name) : pc.yellow(name);
}
