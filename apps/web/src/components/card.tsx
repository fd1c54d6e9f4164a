import { useId, type ReactNode } from 'react';

interface CardProps {
  readonly title?: ReactNode;
  /** The actions, beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without room around the content: for lists and tables. */
  readonly flush?: boolean;
  readonly className?: string;
  /** The destination of a link. */
  readonly id?: string;
}

/** A section with a heading, on a background of its own. */
export function Card({ title, actions, children, flush = false, className = '', id }: CardProps) {
  const titleId = useId();
  return (
    <section
      {...(title === undefined ? {} : { 'aria-labelledby': titleId })}
      id={id}
      className={`min-w-0 rounded-xl border border-line bg-surface ${className}`}
    >
      {title !== undefined && (
        <div className="flex min-h-12 flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2">
          <h2 id={titleId} className="text-sm font-semibold">
            {title}
          </h2>
          {actions}
        </div>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  );
}
