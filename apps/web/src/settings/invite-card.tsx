import { Copy } from 'lucide-react';
import { useState } from 'react';
import { isWaiting, type AnswerTo } from '#lib/client';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { Timestamp } from '../components/times.js';
import { useOpenInvitations } from './open-invitations.js';
import { NewRole, useKnownRoles } from './role-picker.js';
import { useChange } from './use-change.js';
import { WaitsNote } from './waits-note.js';

/** The answer to an invitation: the link at once, or also the change request. */
type InvitationLink = AnswerTo<'post', '/v1/people/{id}/enrolment'>;

/** Invites somebody with the roles that they are to hold. */
export function InviteCard() {
  const roles = useKnownRoles();
  const [further, setFurther] = useState('');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [invited, setInvited] = useState('');
  const [mails, setMails] = useState(true);
  const { data: open } = useOpenInvitations();
  const byMail = mails && open?.can_mail === true;
  const invite = useChange(
    () =>
      api.post(byMail ? '/v1/invitations/mailed' : '/v1/invitations', {
        body: { email: email.trim(), display_name: name.trim(), roles: chosen },
      }),
    '/v1/people',
    '/v1/invitations',
    '/v1/change-requests',
    '/v1/agents',
  );
  return (
    <Card title="Invite somebody">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate(undefined, {
            onSuccess: () => {
              setInvited(name.trim());
              setEmail('');
              setName('');
              setChosen([]);
            },
          });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="E-mail" type="email" required value={email} onChange={setEmail} />
          <TextField label="Name" required maxLength={200} value={name} onChange={setName} />
        </div>
        <fieldset className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
          <legend className="mb-1.5 text-sm font-medium">Roles</legend>
          {[...new Set([...roles, ...chosen])].map((role) => (
            <label key={role} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={chosen.includes(role)}
                onChange={({ target: { checked } }) => {
                  setChosen((before) => (checked ? [...before, role] : before.filter((each) => each !== role)));
                }}
              />
              {role}
            </label>
          ))}
          <div className="flex w-full flex-wrap items-center gap-2">
            <NewRole label="Another role" value={further} onChange={setFurther} />
            {further !== '' && (
              <Button
                size="sm"
                onClick={() => {
                  setChosen((before) => [...new Set([...before, further.trim()])]);
                  setFurther('');
                }}
              >
                Add
              </Button>
            )}
          </div>
        </fieldset>
        {open?.can_mail === true && (
          <label className="flex items-start gap-2 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-accent"
              checked={mails}
              onChange={({ target: { checked } }) => {
                setMails(checked);
              }}
            />
            <span>
              Mail them the link
              <span className="block text-muted">Nobody else is shown it, so they have a vote of their own.</span>
            </span>
          </label>
        )}
        {invite.error !== null && <ErrorNote error={invite.error} />}
        <div>
          <Button type="submit" look="primary" busy={invite.isPending}>
            Invite
          </Button>
        </div>
      </form>
      {invite.data !== undefined && (
        <div className="mt-4 flex flex-col gap-3">
          <WaitsNote answer={invite.data} />
          {'mailed_to' in invite.data ? (
            <p role="status" className="text-sm">
              The link is on its way to {invite.data.mailed_to}. It is good for a day, and works once.
            </p>
          ) : (
            <ShownInvitation name={invited} link={invite.data} />
          )}
        </div>
      )}
    </Card>
  );
}

/** The link of an invitation, for the person who invited, and its consequence. */
export function ShownInvitation({ name, link }: { readonly name: string; readonly link: InvitationLink }) {
  const [copied, setCopied] = useState(false);
  const waits = isWaiting(link);
  return (
    <div role="status" className="flex flex-col gap-3 rounded-lg border border-line bg-warn-soft p-4 text-sm">
      <p className="font-medium">
        Send this link to {name} yourself. It is not shown again, and works once
        {waits ? ', for a day from when the change is confirmed.' : '.'}
      </p>
      <code data-testid="invitation-link" className="font-mono text-xs break-all select-all">
        {link.invitation_url}
      </code>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          onClick={() => {
            void navigator.clipboard.writeText(link.invitation_url).then(() => {
              setCopied(true);
            });
          }}
        >
          <Copy aria-hidden className="size-4" /> {copied ? 'Copied' : 'Copy'}
        </Button>
        {!waits && (
          <span className="text-muted">
            Good until <Timestamp at={link.expires_at} />
          </span>
        )}
      </div>
      <p className="text-muted">
        You have seen the link, so you could be {name}. Between you, you have one vote until {name} is known otherwise.
        They are if they sign in at your identity provider, or if an administrator of another hand vouches for them. The
        operator of the server can also let them in.
      </p>
    </div>
  );
}
