import { err, ok, type Failure, type Guarded, type PersonId, type PersonPrincipal, type Result } from '#lib/kernel';
import type { IssueEnrolment } from './enrolment.js';
import type { InvitePerson, KeepInvitations } from './invite.js';
import type { ReadIdentity } from './read-identity.js';

/** The link of an invitation, on its way to the person alone. */
export interface InvitationMail {
  readonly to: string;
  readonly displayName: string;
  /** The requester, as people read it. */
  readonly invitedBy: string;
  readonly url: string;
  /** Epoch milliseconds; null while a second person has to confirm it first. */
  readonly expiresAt: number | null;
}

/** Sends mail of the installation. */
export interface InvitationMailer {
  /** Whether the operator gave the installation a mail server. */
  readonly available: boolean;
  /** At once, past the outbox, which would keep the secret. @returns why it failed; null once the mail server took it. */
  send(mail: InvitationMail): Promise<string | null>;
}

/** A person with a mailed invitation; its secret stands only in that mail. */
export interface Mailed {
  readonly personId: PersonId;
  readonly mailedTo: string;
  readonly guarded: Guarded<{ readonly expiresAt: number }>;
}

/**
 * Invites a person by a link that the server mails and shows to no one else. So the link's user is known otherwise than
 * by the inviting hand. The mail server is the operator's, so no admin set it up. An invitation that could not be
 * mailed is withdrawn.
 *
 * Failures: `invitation.no_mail_server`, `invitation.not_mailed`, those of {@link InvitePerson} and {@link IssueEnrolment}.
 */
export class MailInvitation {
  constructor(
    private readonly inviting: InvitePerson,
    private readonly issuing: IssueEnrolment,
    private readonly keeping: KeepInvitations,
    private readonly reading: ReadIdentity,
    private readonly mailer: InvitationMailer,
    private readonly urlOf: (token: string) => string,
  ) {}

  get available(): boolean {
    return this.mailer.available;
  }

  /** Somebody who is not there yet. */
  async invite(
    by: PersonPrincipal,
    wanted: { readonly email: string; readonly displayName: string; readonly roles: readonly string[] },
  ): Promise<Result<Mailed>> {
    if (!this.mailer.available) return err(noMailServer);
    const invited = await this.inviting.execute(by, wanted, 'mailed');
    if (!invited.ok) return invited;
    return this.#mail(by, { ...invited.value, to: wanted.email, displayName: wanted.displayName });
  }

  /** Somebody who is there and has not come in yet. */
  async again(by: PersonPrincipal, personId: PersonId): Promise<Result<Mailed>> {
    const person = await this.reading.person(by.tenantId, personId);
    if (!person.ok) return person;
    if (!this.mailer.available) return err(noMailServer);
    const issued = await this.issuing.execute(by, personId, 'mailed');
    if (!issued.ok) return issued;
    const { email: to, displayName } = person.value;
    return this.#mail(by, { personId, ...issued.value, to, displayName });
  }

  async #mail(by: PersonPrincipal, { personId, token, guarded, to, displayName }: Issued): Promise<Result<Mailed>> {
    const expiresAt = guarded.outcome === 'done' ? guarded.value.expiresAt : null;
    const mail = { to, displayName, invitedBy: by.displayName, url: this.urlOf(token), expiresAt };
    const refused = await this.mailer.send(mail);
    if (refused === null) return ok({ personId, mailedTo: to, guarded });
    await this.keeping.withdraw(by, personId);
    return err(notMailed(to, refused, guarded.outcome === 'waits'));
  }
}

interface Issued {
  readonly personId: PersonId;
  readonly token: string;
  readonly guarded: Guarded<{ readonly expiresAt: number }>;
  readonly to: string;
  readonly displayName: string;
}

const noMailServer: Failure = {
  kind: 'conflict',
  code: 'invitation.no_mail_server',
  message: 'This installation has no mail server, so it mails no invitation.',
  action: 'Ask the operator to set COUNTERSIGN_SMTP_URL, or send the link of an invitation yourself.',
};

const notMailed = (to: string, why: string, waits: boolean): Failure => ({
  kind: 'conflict',
  code: 'invitation.not_mailed',
  message: `The invitation could not be mailed to ${to}: ${why}`,
  action: waits
    ? 'Withdraw the change, which nobody can use. Check the address, then mail the invitation again.'
    : 'The person is added, and nobody has a link. Check the address, then mail the invitation again from the list of people.',
});
