/** An id as a hint, after the name; whole on hovering. The ends of ids differ most. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <code title={id} className="font-mono text-xs whitespace-nowrap text-muted">
    {id.length > 12 ? `…${id.slice(-8)}` : id}
  </code>
);
