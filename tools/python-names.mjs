/** Names and texts of generated Python. */

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import ' +
    'in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);
/** The longest line of a docstring. */
const WIDTH = 100;

/** A name of the API as a Python name: `stepId` is `step_id`, `from` is `from_`, `$schema` is `schema_`. */
export function snake(name) {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();
  return KEYWORDS.has(words) || words !== name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
    ? `${words}_`
    : words;
}

/** A name of the API as the name of a class: `tool_calls` is `ToolCalls`. */
export const pascal = (name) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** A JSON value as a Python literal. */
export function literal(value) {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([name, member]) => `${literal(name)}: ${literal(member)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

/** Lines of at most {@link WIDTH} characters. */
function wrapped(text, first, rest) {
  const lines = [];
  let line = first;
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const joined = line.trim() === '' || line === first ? `${line}${word}` : `${line} ${word}`;
    if (joined.length > WIDTH && line.trim() !== '' && line !== first) {
      lines.push(line);
      line = `${rest}${word}`;
    } else line = joined;
  }
  return [...lines, line];
}

const escaped = (text) => text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');

/**
 * A docstring.
 *
 * @param {string} indent before each line.
 * @param {readonly string[]} paragraphs of prose.
 * @param {readonly (readonly [name: string, text: string])[]} members with their meanings, as the section `Args`.
 * @returns {string[]} its lines.
 */
export function docstring(indent, paragraphs, members = []) {
  const args = members.flatMap(([name, text]) => wrapped(escaped(text), `${indent}    ${name}: `, `${indent}        `));
  const [head = '', ...others] = paragraphs.map(escaped);
  const lines = wrapped(head, `${indent}"""`, indent);
  for (const text of others) lines.push('', ...wrapped(text, indent, indent));
  if (args.length > 0) lines.push('', `${indent}Args:`, ...args);
  const last = lines.at(-1) ?? '';
  const closes = lines.length === 1 && last.length + 3 <= WIDTH && !last.endsWith('"');
  return closes ? [`${last}"""`] : [...lines, `${indent}"""`];
}
