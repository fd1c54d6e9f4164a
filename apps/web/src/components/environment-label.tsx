/** An environment; production cannot be taken for anything else. */
export function EnvironmentLabel({ name, production }: { readonly name: string; readonly production: boolean }) {
  if (!production)
    return (
      <span className="inline-flex items-center rounded-md border border-line-strong px-2 py-0.5 text-xs font-medium text-muted">
        {name}
      </span>
    );
  return (
    <span className="inline-flex items-center gap-1.5 rounded-md bg-production px-2 py-0.5 text-xs font-semibold tracking-wide text-production-ink forced-colors:border">
      <span aria-hidden className="size-1.5 rounded-full bg-current" />
      {name.toLowerCase().includes('prod') ? name : `${name} · production`}
    </span>
  );
}
