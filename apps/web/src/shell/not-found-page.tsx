import { MapPinOff } from 'lucide-react';
import { Link } from 'react-router';
import { Empty } from '../components/empty.js';
import { Page } from '../components/page.js';

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <Empty icon={<MapPinOff aria-hidden />} title="There is no page here">
        The page may belong to another organisation, or the address may be cut short.{' '}
        <Link className="text-accent underline" to="/inbox">
          Go to the inbox
        </Link>
        .
      </Empty>
    </Page>
  );
}
