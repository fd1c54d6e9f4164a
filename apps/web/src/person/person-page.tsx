import type { z } from 'zod';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { personSchema } from '#lib/api-schemas';
import { queryOf } from '../api/query.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Facts } from '../components/facts.js';
import { Page } from '../components/page.js';
import { PageError } from '../components/page-error.js';
import { SkeletonRows } from '../components/skeleton.js';
import { Timestamp } from '../components/times.js';
import { ApproverKeys } from '../settings/approver-keys.js';

type PersonView = z.infer<typeof personSchema>;

/** One person: how they are known, their roles, and the keys by which their approvals are verified. */
export function Component() {
  const { id = '' } = useParams();
  const { person: reader } = useSignedIn();
  const found = useQuery(queryOf('/v1/people/{id}', { path: { id } }));
  if (found.isLoadingError)
    return (
      <PageError
        title="Person"
        error={found.error}
        retry={() => void found.refetch()}
        list={{ path: '/settings/people', name: 'People and roles' }}
      />
    );
  if (found.data === undefined)
    return (
      <Page title="Person">
        <SkeletonRows rows={4} />
      </Page>
    );
  return <Shown person={found.data} own={found.data.id === reader.id} />;
}

const voteOf = ({ shares_vote_with: shared }: NonNullable<PersonView['standing']>): string =>
  shared.length === 0 ? 'their own' : `one with ${shared.map(({ display_name: name }) => name).join(', ')}`;

function Shown({ person, own }: { readonly person: PersonView; readonly own: boolean }) {
  const { standing } = person;
  return (
    <Page
      title={person.display_name}
      eyebrow={<Link to="/settings/people">People and roles</Link>}
      meta={
        <>
          {own && <Badge>you</Badge>}
          {person.disabled_at !== null && <Badge tone="bad">disabled</Badge>}
          {person.name_note !== null && (
            <Badge tone="warn">
              <InertText text={person.name_note} />
            </Badge>
          )}
          {person.roles.map(({ role }) => (
            <Badge key={role}>{role}</Badge>
          ))}
          <Link className="text-accent underline" to={`/requests?tab=all&person_id=${person.id}`}>
            Requests
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Card title="Who they are">
          <Facts
            facts={[
              ['E-mail', person.email],
              ['Person id', <code key="id">{person.id}</code>],
              [
                'Known by',
                standing === undefined ? null : standing.known_by.length === 0 ? (
                  'nothing yet: they have not come in'
                ) : (
                  <InertText key="known" text={standing.known_by.map(({ words }) => words).join('; ')} />
                ),
              ],
              ['Vote', standing === undefined ? null : <InertText key="vote" text={voteOf(standing)} />],
              [
                'Last signed in',
                person.came_in_at === null ? 'never' : <Timestamp key="came" at={person.came_in_at} />,
              ],
            ]}
          />
        </Card>
        <Card title="Approver keys">
          <ApproverKeys personId={person.id} own={own} />
        </Card>
      </div>
    </Page>
  );
}
