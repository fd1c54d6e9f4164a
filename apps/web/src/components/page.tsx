import { useEffect, type ReactNode } from 'react';
import { visibleText } from '#lib/words';

/** Names the main part of the shell after its page. */
export const TITLE_ID = 'page-title';

interface PageProps {
  readonly title: string;
  /** Its name in the browser's tab, if that is another. */
  readonly tab?: string;
  /** How much waits on it, before its name in the browser's tab. */
  readonly count?: string;
  /** The parent page, above the title. */
  readonly eyebrow?: ReactNode;
  /** The state, below the title. */
  readonly meta?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of the shell: its heading, its actions, and its content. A heading may hold words of an agent. */
export function Page({ title: given, tab = given, count = '', eyebrow, meta, actions, children }: PageProps) {
  const title = visibleText(given);
  const name = visibleText(tab);
  useEffect(() => {
    document.title = `${count === '' ? '' : `(${count}) `}${name} · Countersign`;
  }, [name, count]);
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-6 md:px-8 md:py-8">
      <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          {eyebrow !== undefined && <p className="mb-1 text-sm text-muted [&_a]:hover:underline">{eyebrow}</p>}
          <h1 id={TITLE_ID} className="text-xl leading-7 font-semibold tracking-tight text-balance">
            {title}
          </h1>
          {meta !== undefined && (
            <div className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">{meta}</div>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
