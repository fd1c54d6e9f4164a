/** A text that a spreadsheet would take for a formula, also after trimming. */
const FORMULA = /^[=+\-@\t\r\n]|^\s+[=+\-@]/;

/**
 * One cell (RFC 4180 section 2). Text that a spreadsheet would calculate gets an apostrophe before it, as spreadsheets
 * themselves mark text: some of it is agents' words.
 */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record with its line end. */
export const csvRecord = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
