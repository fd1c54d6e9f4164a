import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { components } from '#lib/client';
import { visibleText } from '#lib/words';
import { api } from '../api/client.js';
import { BROWSER_SESSION } from '../api/query-client.js';
import { queryOf } from '../api/query.js';
import { usePaged } from '../api/paged.js';
import { useSignedIn } from '../api/browser-session.js';
import { InertText } from '../components/agent-text.js';
import { AskFirst } from '../components/ask-first.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { FilterToggle } from '../components/filter-toggle.js';
import { PagedList } from '../components/paged-list.js';
import { Timestamp } from '../components/times.js';
import { InviteCard, ShownInvitation } from './invite-card.js';
import { OpenInvitations, useOpenInvitations } from './open-invitations.js';
import { RolePicker } from './role-picker.js';
import { useChange } from './use-change.js';
import { VouchDialog } from './vouch-dialog.js';
import { WaitsNote } from './waits-note.js';

type Person = components['schemas']['Person'];

/** The reason why the reader may not vouch for a person, and the alternatives. */
const ONE_HAND =
  'You two came in by one hand, so your word does not show that you are two. Ask an admin of another hand to vouch for them, or have them sign in at your organisation’s issuer. Or ask the operator to run countersign bootstrap --person on the server.';

/** The people of the tenant, and their roles. */
export default function PeopleSection() {
  const { person } = useSignedIn();
  const admin = person.roles.includes('PlatformAdmin');
  const invitations = useOpenInvitations(admin);
  const [withoutIssuer, setWithoutIssuer] = useState('');
  const list = usePaged('/v1/people', { without_issuer: withoutIssuer });
  return (
    <>
      {admin && <InviteCard />}
      {admin && <OpenInvitations />}
      <div className="flex flex-col gap-1">
        <FilterToggle label="Only people known by no issuer" value={withoutIssuer} onChange={setWithoutIssuer} />
        {withoutIssuer === 'true' && (
          <p className="text-sm text-muted">
            Your identity provider does not know these people, so it takes nobody’s access away when they leave. Disable
            people who left.
          </p>
        )}
      </div>
      <PagedList
        title="People"
        list={list}
        empty={withoutIssuer === 'true' ? 'An issuer knows everybody.' : 'Nobody yet.'}
      >
        {(each) => (
          <PersonRow
            key={each.id}
            person={each}
            admin={admin}
            reader={person.id}
            mails={invitations.data?.can_mail === true}
          />
        )}
      </PagedList>
    </>
  );
}

function PersonRow({
  person,
  admin,
  reader,
  mails,
}: {
  readonly person: Person;
  readonly admin: boolean;
  /** The id of the reader. */
  readonly reader: string;
  /** Whether this installation mails invitations. */
  readonly mails: boolean;
}) {
  const own = person.id === reader;
  const [role, setRole] = useState('');
  const path = { id: person.id };
  const assign = useChange(
    (wanted: string) => api.post('/v1/people/{id}/roles', { path, body: { role: wanted } }),
    '/v1/people',
    '/v1/change-requests',
  );
  const disable = useChange(() => api.patch('/v1/people/{id}', { path, body: { disabled: true } }), '/v1/people');
  const enable = useChange(
    () => api.patch('/v1/people/{id}', { path, body: { disabled: false } }),
    '/v1/people',
    '/v1/change-requests',
  );
  const enrol = useChange(
    () => api.post('/v1/people/{id}/enrolment', { path }),
    '/v1/change-requests',
    '/v1/invitations',
  );
  const mail = useChange(
    () => api.post('/v1/people/{id}/enrolment/mailed', { path }),
    '/v1/change-requests',
    '/v1/invitations',
  );
  const inviting = person.enrolled_at === null ? 'Invite again' : 'New way in';
  const [vouches, setVouches] = useState(false);
  const oneHand = cameInByOneHand(person, useReader(reader, admin));
  const error = assign.error ?? enable.error ?? enrol.error ?? mail.error;
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 basis-56">
          <Link className="font-medium underline" to={`/people/${person.id}`}>
            <InertText text={person.display_name} />
          </Link>{' '}
          {own && <Badge>you</Badge>} {person.disabled_at !== null && <Badge tone="bad">disabled</Badge>}
          {person.name_note !== null && (
            <Badge tone="warn">
              <InertText text={person.name_note} />
            </Badge>
          )}
          <span className="block text-muted">
            {person.email}
            {person.came_in_at !== null && (
              <>
                , last signed in <Timestamp at={person.came_in_at} />
              </>
            )}
          </span>
          {person.standing !== undefined && <KnownBy standing={person.standing} />}
        </span>
        {admin && !own && (
          <>
            {person.standing?.known === false && person.standing.known_by.length > 0 && (
              <Button
                size="sm"
                aria-label={`Vouch for them: ${person.display_name}`}
                barred={oneHand ? ONE_HAND : null}
                onClick={() => {
                  setVouches(true);
                }}
              >
                Vouch for them
              </Button>
            )}
            <Button
              size="sm"
              aria-label={`${inviting}: ${person.display_name}`}
              busy={enrol.isPending}
              onClick={() => {
                enrol.mutate(undefined);
              }}
            >
              {inviting}
            </Button>
            {person.enrolled_at === null && mails && (
              <Button
                size="sm"
                aria-label={`Mail an invitation to ${person.display_name}`}
                busy={mail.isPending}
                onClick={() => {
                  mail.mutate(undefined);
                }}
              >
                Mail an invitation
              </Button>
            )}
            {person.disabled_at === null ? (
              <AskFirst
                label="Disable…"
                name={`Disable ${person.display_name}`}
                size="sm"
                title={`Disable ${person.display_name}?`}
                act="Disable"
                change={disable}
              >
                <p>
                  Their browser sessions and tokens are refused at once, and so are the agents that they answer for.
                  Enabling them again may wait for a second person.
                </p>
              </AskFirst>
            ) : (
              <Button
                size="sm"
                aria-label={`Enable ${person.display_name}`}
                busy={enable.isPending}
                onClick={() => {
                  enable.mutate(undefined);
                }}
              >
                Enable
              </Button>
            )}
          </>
        )}
      </div>
      <ul className="flex flex-wrap items-center gap-2">
        {person.roles.length === 0 && <li className="text-muted">no role</li>}
        {person.roles.map(({ role: name, assigned_by_issuer: issuer }) => (
          <li key={name} className="inline-flex items-center gap-1">
            <Badge tone="info">{name}</Badge>
            {admin && issuer === null && <TakeRole person={person} role={name} />}
            {issuer !== null && <span className="text-xs text-muted">from the issuer</span>}
          </li>
        ))}
        {admin && (
          <li>
            <form
              className="inline-flex flex-wrap items-center gap-1"
              onSubmit={(event) => {
                event.preventDefault();
                assign.mutate(role.trim(), {
                  onSuccess: () => {
                    setRole('');
                  },
                });
              }}
            >
              <RolePicker
                label={`Role for ${person.display_name}`}
                value={role}
                onChange={setRole}
                except={person.roles.map((held) => held.role)}
              />
              <Button
                size="sm"
                type="submit"
                aria-label={`Assign a role to ${person.display_name}`}
                busy={assign.isPending}
              >
                Assign
              </Button>
            </form>
          </li>
        )}
      </ul>
      <Link
        className="self-start text-xs text-accent underline"
        to={`/people/${person.id}`}
        aria-label={`Approver keys of ${person.display_name}`}
      >
        Approver keys
      </Link>
      <WaitsNote answer={assign.data} />
      <WaitsNote answer={enable.data} />
      <WaitsNote answer={enrol.data} />
      <WaitsNote answer={mail.data} />
      {mail.data !== undefined && <p role="status">The link is on its way to {mail.data.mailed_to}.</p>}
      {enrol.data !== undefined && <ShownInvitation name={person.display_name} link={enrol.data} />}
      {error !== null && <ErrorNote error={error} />}
      {vouches && (
        <VouchDialog
          person={person}
          onClose={() => {
            setVouches(false);
          }}
        />
      )}
    </li>
  );
}

function TakeRole({ person, role }: { readonly person: Person; readonly role: string }) {
  const take = useChange(
    () => api.delete('/v1/people/{id}/roles/{role}', { path: { id: person.id, role } }),
    '/v1/people',
    BROWSER_SESSION,
  );
  const name = visibleText(person.display_name);
  return (
    <AskFirst
      label={<X aria-hidden className="size-4" />}
      name={`Take ${role} from ${person.display_name}`}
      look="quiet"
      className="size-6! px-0!"
      title={`Take the role ${role} from ${name}?`}
      act="Take the role"
      change={take}
    >
      <p>Their next request is made without it. Assigning it again may wait for a second person.</p>
    </AskFirst>
  );
}

/** The reader as they stand among the people. */
const useReader = (id: string, admin: boolean): Person | undefined =>
  useQuery({ ...queryOf('/v1/people/{id}', { path: { id } }), enabled: admin }).data;

/** Whether two people share one vote: as one is the other's hand, or by a hand of both. */
function cameInByOneHand(one: Person, other: Person | undefined): boolean {
  const handsOf = ({ id, standing }: Person): string[] => [
    id,
    ...(standing?.shares_vote_with ?? []).map((each) => each.id),
  ];
  return other !== undefined && handsOf(one).some((id) => handsOf(other).includes(id));
}

/** The reasons why a person is known, and the people that share one vote with them. */
function KnownBy({ standing }: { readonly standing: NonNullable<Person['standing']> }) {
  if (standing.known_by.length === 0) return null;
  return (
    <span className="block text-muted">
      <InertText text={standing.known_by.map(({ words }) => words).join('; ')} />
      {standing.shares_vote_with.length > 0 && (
        <>
          {' '}
          <Badge tone="warn">
            one vote with{' '}
            <InertText text={standing.shares_vote_with.map(({ display_name: name }) => name).join(', ')} />
          </Badge>
        </>
      )}
    </span>
  );
}
