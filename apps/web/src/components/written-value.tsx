import { JsonValue } from './json-value.js';
import { inWords } from './tone-of.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlain = (value: unknown): boolean =>
  !isRecord(value) && !(Array.isArray(value) && value.some((each) => isRecord(each) || Array.isArray(each)));

/** A structure name by name, level by level; a plain value stays on its line. */
export function WrittenValue({ value }: { readonly value: unknown }) {
  if (Array.isArray(value) && value.length === 0) return <span className="text-muted">none</span>;
  if (isPlain(value)) return <JsonValue value={value} />;
  const parts = Array.isArray(value)
    ? value.map((each, index) => [String(index + 1), each as unknown] as const)
    : // It is neither plain nor a list, so it is an object.
      Object.entries(value as Readonly<Record<string, unknown>>);
  return (
    <ul className="border-l border-line-strong pl-3">
      {parts.map(([name, each]) => (
        <li key={name}>
          <span className="text-muted">{Array.isArray(value) ? `${name}.` : inWords(name)}</span>{' '}
          <WrittenValue value={each} />
        </li>
      ))}
    </ul>
  );
}
