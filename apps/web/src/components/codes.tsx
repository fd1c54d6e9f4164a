/** Codes, rules and ids, which programs and support go by: folded, since they tell a reader nothing. */
export function Codes({
  names,
  summary = 'Details',
}: {
  readonly names: readonly string[];
  readonly summary?: string;
}) {
  return (
    <details className="mt-1 text-xs text-muted">
      <summary className="cursor-pointer">{summary}</summary>
      {[...new Set(names)].map((name) => (
        <code key={name} className="block font-mono break-all">
          {name}
        </code>
      ))}
    </details>
  );
}
