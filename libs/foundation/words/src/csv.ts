/**
 * The beginning of a text that a spreadsheet would take for a formula, also after trimming (OWASP, CSV Injection). A
 * spreadsheet of a country that separates cells by semicolons knows no quotes within a cell. A semicolon or a new line
 * in a text begins a cell there, which a quote may open.
 */
const FORMULA = /^(?=[\t\r\n])|(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t\r\n])[\s"]*)/g;

/**
 * One cell (RFC 4180 section 2). Text that a spreadsheet would calculate gets an apostrophe before it, as spreadsheets
 * mark text. Some of it is agents' words.
 */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = value.replaceAll(FORMULA, "'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record with its line end. */
export const csvRecord = (values: readonly (string | number | boolean | null)[]): string =>
  `${values.map(cell).join(',')}\r\n`;
