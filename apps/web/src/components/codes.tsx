/** Codes, rules and ids, which programs and support go by: folded, since they tell a reader nothing. */
export function Codes({ names }: { readonly names: readonly string[] }) {
  return (
    <details className="mt-1 text-xs text-muted">
      <summary className="cursor-pointer">Details</summary>
      {[...new Set(names)].map((name) => (
        <code key={name} className="block font-mono break-all">
          {name}
        </code>
      ))}
    </details>
  );
}
