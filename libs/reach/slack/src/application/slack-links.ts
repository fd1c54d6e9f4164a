import { randomBytes } from 'node:crypto';
import { endedMeanwhile, type Authenticator, type CredentialRepository, type MintCredential } from '#lib/identity';
import {
  actorOf,
  err,
  ok,
  type AuditSink,
  type Failure,
  type PersonPrincipal,
  type Result,
  type SecretDigests,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { FreshSignIn, LinkedUser, SlackApi, SlackInstallations, SlackLinks as Links } from './slack.ports.js';

const CODE_MINUTES = 10;
const MINUTE_MS = 60_000;
/** A link has to be confirmed again after this time. */
const LINK_MS = 365 * 24 * 60 * MINUTE_MS;
const CODE = /^[A-Za-z0-9_-]{43}$/;

/** A Slack user, for the person who is about to confirm the link. */
export interface SlackUserShown {
  readonly teamName: string;
  readonly userId: string;
  /** The name in Slack. It helps to recognise the user and decides nothing. */
  readonly name: string;
}

interface LinkSlackUserDeps {
  readonly uow: UnitOfWork;
  readonly installations: SlackInstallations;
  readonly links: Links;
  readonly slack: SlackApi;
  readonly mint: Pick<MintCredential, 'execute'>;
  readonly credentials: Pick<CredentialRepository, 'stillGood'>;
  readonly authenticator: Pick<Authenticator, 'authenticateSlackLink'>;
  readonly digests: SecretDigests;
  readonly fresh: FreshSignIn;
  readonly audit: AuditSink;
  readonly publicUrl: string;
}

/**
 * Links a Slack user to a person. The user asks for it in Slack, which signs the request; the signed-in person confirms it.
 * Names and e-mail addresses decide nothing.
 *
 * Failures: `slack.link_code`, `slack.not_installed`, `slack.user_taken`, `slack.unreachable`, `sign_in.not_fresh`,
 * `credential.ended` if the person's own credential ended meanwhile: the link would outlast it.
 */
export class LinkSlackUser {
  constructor(private readonly deps: LinkSlackUserDeps) {}

  /** The address that the user opens once, signed in to Countersign. */
  async offer(tenantId: TenantId, user: string): Promise<string> {
    const code = randomBytes(32).toString('base64url');
    const digest = await this.deps.digests.digest('slack_link', code);
    await this.deps.uow.run(tenantId, (tx) => this.deps.links.writeCode(tx, digest, user, CODE_MINUTES * MINUTE_MS));
    return `${this.deps.publicUrl}/settings/slack?link=${code}`;
  }

  /** The user that a code would link. Changes nothing. */
  async preview(by: PersonPrincipal, code: string): Promise<Result<SlackUserShown>> {
    const found = await this.deps.uow.run(by.tenantId, async (tx) => ({
      user: CODE.test(code) ? await this.deps.links.readCode(tx, await this.#digestsOf(code)) : null,
      workspace: await this.deps.installations.workspace(tx),
    }));
    if (found.workspace === null) return err(notInstalled);
    if (found.user === null) return err(badCode);
    const name = await this.deps.slack.userName(found.workspace.botToken, found.user).catch(() => null);
    if (name === null) return err(unreachable);
    return ok({ teamName: found.workspace.teamName, userId: found.user, name });
  }

  async confirm(by: PersonPrincipal, code: string): Promise<Result<LinkedUser>> {
    const fresh = await this.deps.fresh.execute(by);
    if (!fresh.ok) return fresh;
    return this.deps.uow.run(by.tenantId, async (tx) => {
      if (!(await this.deps.credentials.stillGood(tx, by.personId, by.credentialId))) return err(endedMeanwhile);
      const workspace = await this.deps.installations.workspace(tx);
      if (workspace === null) return err(notInstalled);
      const user = CODE.test(code) ? await this.deps.links.useCode(tx, await this.#digestsOf(code)) : null;
      if (user === null) return err(badCode);
      const team = workspace.teamId;
      if (!(await this.deps.links.clear(tx, { team, user }))) return err(userTaken);
      const now = await tx.now();
      const { credential } = await this.deps.mint.execute(tx, {
        holder: { kind: 'slack_link', personId: by.personId },
        name: `Slack user ${user} in ${workspace.teamName}`.slice(0, 200),
        scopes: ['read', 'run', 'review'],
        createdBy: null,
        now,
        expiresAt: now + LINK_MS,
      });
      await this.deps.links.link(tx, { team, user, personId: by.personId, credentialId: credential.id });
      await this.deps.audit.record(tx, {
        action: 'slack_user.linked',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'person', id: by.personId },
        payload: { team_id: team, slack_user_id: user, credential_id: credential.id },
      });
      const linked = (await this.deps.links.mine(tx, by.personId)).find(
        ({ credentialId }) => credentialId === credential.id,
      );
      if (linked === undefined) throw new Error('a link that was just made is not there');
      return ok(linked);
    });
  }

  /** The links of the caller. Each ends when its credential is revoked. */
  mine(by: PersonPrincipal): Promise<readonly LinkedUser[]> {
    return this.deps.uow.run(by.tenantId, (tx) => this.deps.links.mine(tx, by.personId));
  }

  /** The linked person of a Slack user, as they stand now; null without a link that holds. */
  async principalOf(
    tenantId: TenantId,
    user: { readonly team: string; readonly user: string },
  ): Promise<PersonPrincipal | null> {
    const credential = await this.deps.uow.run(tenantId, (tx) => this.deps.links.credentialOf(tx, user));
    const found = credential === null ? null : await this.deps.authenticator.authenticateSlackLink(credential);
    return found?.ok === true && found.value.tenantId === tenantId ? found.value : null;
  }

  #digestsOf(code: string): Promise<readonly Uint8Array[]> {
    return this.deps.digests.candidates('slack_link', code);
  }
}

const badCode: Failure = {
  kind: 'unprocessable',
  code: 'slack.link_code',
  message: 'This link is not known, was used, or is too old.',
  action: 'Type "/countersign link" in Slack and open the new one within ten minutes.',
};

export const notInstalled: Failure = {
  kind: 'conflict',
  code: 'slack.not_installed',
  message: 'Slack is not installed for this tenant.',
  action: 'Ask a PlatformAdmin to install it, in the settings.',
};

const userTaken: Failure = {
  kind: 'conflict',
  code: 'slack.user_taken',
  message: 'This Slack user is linked already.',
  action: 'Have that link revoked first, by the person who made it or a PlatformAdmin.',
};

const unreachable: Failure = {
  kind: 'unavailable',
  code: 'slack.unreachable',
  message: 'Slack does not answer.',
  action: 'Try again in a moment.',
  retryAfterSeconds: 5,
};
