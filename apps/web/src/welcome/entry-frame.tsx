import { useEffect, type ReactNode } from 'react';

/** A page of somebody who is not signed in: one card, and one thing to do. */
export function EntryFrame({
  title,
  lead,
  step,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  /** The position on a way of several pages. */
  readonly step?: string;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Countersign`;
  }, [title]);
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-md rounded-2xl border border-line bg-surface p-6 shadow-sm sm:p-8">
        <div className="flex items-center gap-2.5">
          <img src="/favicon.svg" alt="" width={32} height={32} />
          <span className="font-semibold tracking-tight">Countersign</span>
          {step !== undefined && <span className="ml-auto text-sm text-muted">{step}</span>}
        </div>
        <h1 className="mt-6 text-xl font-semibold tracking-tight text-balance">{title}</h1>
        {lead !== undefined && <div className="mt-2 text-sm text-muted">{lead}</div>}
        <div className="mt-6 flex flex-col gap-5">{children}</div>
      </div>
    </main>
  );
}
