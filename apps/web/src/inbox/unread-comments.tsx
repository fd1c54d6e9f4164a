import { MessageSquare } from 'lucide-react';
import { Link } from 'react-router';
import { counted } from '#lib/words';
import { useUnreadComments } from '../api/comments.js';
import { InertText, SaidBy } from '../components/agent-text.js';
import { buttonClass } from '../components/button.js';
import { Card } from '../components/card.js';
import { TimeAgo } from '../components/times.js';

/** The card's place on the page of the inbox, which many requests may push down. */
const UNREAD = 'comments';

/** The way down to them. */
export function ToUnreadComments() {
  const count = useUnreadComments().data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <a href={`#${UNREAD}`} className={buttonClass('secondary')}>
      <MessageSquare aria-hidden className="size-4" /> {counted(count, 'unread comment')}
    </a>
  );
}

/** Comments that concern the reader and that no page has shown to them; nothing while there are none. */
export function UnreadComments() {
  const { data } = useUnreadComments();
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Card title="Comments you have not read" flush className="mt-6 scroll-mt-20" id={UNREAD}>
      <ul aria-label="Comments you have not read" className="divide-y divide-line">
        {items.map(({ id, about, author, body, headline, created_at: at }) => (
          <li key={id}>
            <Link
              to={`/${about.type === 'approval_request' ? 'requests' : 'changes'}/${about.id}#conversation`}
              className="flex flex-col gap-0.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
            >
              {author.kind === 'agent' ? (
                <SaidBy by={`${author.display_name} (agent)`} text={body} />
              ) : (
                <span className="line-clamp-2 break-words">
                  <span className="font-medium">
                    <InertText text={author.display_name} />
                  </span>
                  : <InertText text={body} />
                </span>
              )}
              <span className="text-sm text-muted">
                <InertText text={headline} />, <TimeAgo at={at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
