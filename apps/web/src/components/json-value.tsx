import { InertText } from './agent-text.js';

/** A value of an argument: text as text, a secret by its name, anything else as JSON. */
export function JsonValue({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span className="text-muted">nothing</span>;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  return (
    <code className="font-mono text-[0.8125rem] break-all whitespace-pre-wrap">
      <InertText text={text} />
    </code>
  );
}
