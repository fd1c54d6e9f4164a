/** Room for a part that is being read, as high as it will be. It pulses once the reading takes long: most are over before. */
export function Skeleton({ className }: { readonly className: string }) {
  return <div aria-hidden className={`animate-pulse rounded-lg bg-sunken [animation-delay:500ms] ${className}`} />;
}

/** A list being read. */
export function SkeletonRows({
  rows = 6,
  className = 'h-18',
}: {
  readonly rows?: number;
  readonly className?: string;
}) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 p-4">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} className={className} />
      ))}
    </div>
  );
}
