import type { ReactNode } from 'react';

interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** The meaning, and the next action. */
  readonly children: ReactNode;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div className="flex min-h-64 flex-col items-center justify-center gap-2 px-6 py-12 text-center">
      <div className="mb-2 rounded-full bg-sunken p-3 text-muted [&_svg]:size-6">{icon}</div>
      <p className="font-semibold">{title}</p>
      <div className="max-w-md text-sm text-muted">{children}</div>
    </div>
  );
}
