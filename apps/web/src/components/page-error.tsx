import { MapPinOff } from 'lucide-react';
import { Link } from 'react-router';
import { ApiError } from '../api/api-error.js';
import { Empty } from './empty.js';
import { ErrorNote } from './error-note.js';
import { Page } from './page.js';

interface PageErrorProps {
  /** The noun of the missing thing: `Run`. */
  readonly title: string;
  readonly error: Error;
  readonly retry: () => void;
  /** The list of others of its kind. */
  readonly list: { readonly path: string; readonly name: string };
}

/** Stands in for a page if its content could not be read. */
export function PageError({ title, error, retry, list }: PageErrorProps) {
  if (!(error instanceof ApiError && error.status === 404))
    return (
      <Page title={title}>
        <ErrorNote error={error} retry={retry} />
      </Page>
    );
  return (
    <Page title={`No such ${title.toLowerCase()}`}>
      <Empty icon={<MapPinOff aria-hidden />} title={`There is no such ${title.toLowerCase()} here`}>
        It may be gone or belong to another organisation, or the address may be cut short.{' '}
        <Link className="text-accent underline" to={list.path}>
          Back to {list.name}
        </Link>
      </Empty>
    </Page>
  );
}
