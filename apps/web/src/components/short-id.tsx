/** An id in small print, after the name that says what it is; whole on hovering. Its end differs most. */
export const ShortId = ({ id }: { readonly id: string }) => (
  <code title={id} className="font-mono text-xs whitespace-nowrap text-muted">
    {id.length > 12 ? `…${id.slice(-8)}` : id}
  </code>
);
