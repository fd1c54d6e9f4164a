import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { routingHintOf } from '#lib/formats';
import {
  actorOf,
  done,
  err,
  fail,
  ok,
  tightening,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Digest,
  type Failure,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Principal,
  type Result,
  type SecretDigests,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import {
  installedSchema,
  SlackCallError,
  type Installed,
  type SlackApi,
  type SlackFollower,
  type SlackInstallations,
  type SlackSettings,
  type WaitingSlackSecrets,
} from './slack.ports.js';
import { outdateSlack, workspaceBase } from './outdate-slack.js';

/** The scopes of the bot: to write, to find its own messages, to read names of users and channels. */
export const BOT_SCOPES = [
  'chat:write',
  'commands',
  'channels:history',
  'channels:read',
  'groups:history',
  'groups:read',
  'im:history',
  'im:write',
  'users:read',
] as const;

const STATE_MS = 10 * 60_000;

interface SlackSetUpDeps {
  readonly uow: UnitOfWork;
  readonly installations: SlackInstallations;
  readonly waiting: WaitingSlackSecrets;
  readonly slack: SlackApi;
  readonly digests: SecretDigests;
  readonly twoPersonRule: TwoPersonRule;
  readonly follower: SlackFollower;
  readonly audit: AuditSink;
  readonly addresses: { readonly publicUrl: string; readonly slackUrl: string };
}

/**
 * A tenant's own Slack app: its installation into one workspace by OAuth (version 2).
 *
 * Failures: `slack.no_app`, `slack.state`, `slack.declined`, `slack.oauth`, `slack.workspace_taken`.
 */
export class SlackSetUp implements CarriesOutChange<WantedWorkspace> {
  readonly payload = wantedWorkspace;

  constructor(private readonly deps: SlackSetUpDeps) {}

  settings(by: Principal): Promise<SlackSettings> {
    return this.deps.uow.run(by.tenantId, (tx) => this.deps.installations.settings(tx));
  }

  /** The address at which the admin installs the app. */
  begin(by: PersonPrincipal): Promise<Result<string>> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const app = await this.deps.installations.app(tx);
      if (app === null) return err(noApp);
      // Slack's page asks for no reason, so the admin gives it before.
      await this.deps.twoPersonRule.demandReason(tx, by, INSTALLING);
      // Behind a router the browser comes back to the tenant's cell.
      const state = randomBytes(32).toString('base64url') + routingHintOf(by.tenantId);
      const digest = await this.deps.digests.digest('slack_install', state);
      await this.deps.installations.beginInstall(tx, digest, by, STATE_MS);
      const address = new URL(`${this.deps.addresses.slackUrl}/oauth/v2/authorize`);
      address.search = new URLSearchParams({
        client_id: app.clientId,
        scope: BOT_SCOPES.join(','),
        redirect_uri: this.#redirectUrl(),
        state,
      }).toString();
      return ok(address.href);
    });
  }

  /**
   * Slack sent the admin's browser back. The state works once, even if the installation fails. Another workspace than
   * before waits for a second person. Its owners can act as any of its users, and read the requests.
   *
   * @returns the next address of the browser: the settings, or the change request.
   */
  async finish(
    state: string,
    answer: { readonly code: string; readonly error?: string | undefined },
  ): Promise<Result<{ readonly nextUrl: string }>> {
    const begun = await this.deps.installations.locateInstall(
      await this.deps.digests.candidates('slack_install', state),
    );
    if (begun === null) return err(badState);
    const { tenantId } = begun;
    const used = await this.deps.uow.run(tenantId, async (tx) => {
      const by = await this.deps.installations.useInstall(tx, begun.id);
      return by === null ? null : { by, app: await this.deps.installations.app(tx) };
    });
    if (used === null) return err(badState);
    if (used.app === null) return err(noApp);
    const { by, app } = used;
    if (answer.error !== undefined)
      return err(answer.error === 'access_denied' ? declined : refusedBySlack(answer.error));
    const answered = await this.deps.slack
      .exchangeCode(app, answer.code, this.#redirectUrl())
      .catch((error: unknown) => {
        if (error instanceof SlackCallError) return error;
        throw error;
      });
    if (answered instanceof SlackCallError) return err(refusedBySlack(answered.code));
    // The author was an admin when they began, at most ten minutes ago. Only their identity is used here.
    const author: PersonPrincipal = {
      kind: 'person',
      tenantId,
      ...by,
      credentialKind: 'person_token',
      roles: [],
      scopes: [],
      signedInAt: null,
    };
    const installed = await this.deps.uow.run(tenantId, async (tx) => {
      const sealed = await this.deps.waiting.seal(tx, answered);
      const result = await this.#install(tx, author, answered, wantedOf(answered, sealed.digest));
      if (!result.ok) fail(result.error);
      if (result.value.outcome === 'waits') await this.deps.waiting.keep(tx, result.value.change.id, sealed);
      return result.value;
    });
    const path = installed.outcome === 'waits' ? `changes/${installed.change.id}` : 'settings/slack?installed=1';
    return ok({ nextUrl: `${this.deps.addresses.publicUrl}/${path}` });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedWorkspace): Promise<Result<Guarded<null>>> {
    const installed = await this.deps.waiting.open(tx, change.changeId, wanted.sealed_digest, installedSchema);
    return this.#install(tx, change, installed, wanted);
  }

  async #install(
    tx: Tx,
    authority: ChangeAuthority,
    installed: Installed,
    wanted: WantedWorkspace,
  ): Promise<Result<Guarded<null>>> {
    const app = await this.deps.installations.lockApp(tx);
    const { installation: before } = await this.deps.installations.settings(tx);
    const { teamId, teamName, appId } = installed;
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'slack_workspace',
      subject: { type: 'tenant', id: tx.tenantId },
      what: `Slack in the workspace ${teamName} (${teamId})`,
      payload: { ...wanted },
      base: workspaceBase(app, before),
      loosens:
        before?.teamId === teamId
          ? []
          : [
              `the owner of the workspace ${teamName} can press buttons as anybody who links their account there`,
              `requests and incidents are told in ${teamName}${before === null ? '' : `, and no longer in ${before.teamName}`}`,
            ],
      detail: { workspace_before: before?.teamName ?? null, workspace_after: teamName, app: appId },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    if (!(await this.deps.installations.saveInstallation(tx, installed, admitted.authorId))) return err(workspaceTaken);
    await outdateSlack(tx, this.deps, admitted);
    await this.deps.follower.changed(tx);
    await this.deps.audit.record(tx, {
      action: 'slack.installed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'tenant', id: tx.tenantId },
      payload: { team_id: teamId, team_name: teamName, app_id: appId, ...admitted.provenance },
    });
    return ok(done(null, admitted));
  }

  /**
   * Forgets the workspace at once, without a second person: its owner could press buttons as others. People who can fix
   * the silenced destinations are told.
   */
  remove(by: PersonPrincipal): Promise<void> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      await this.deps.installations.lockApp(tx);
      const { installation } = await this.deps.installations.settings(tx);
      if (installation === null) return;
      await this.deps.installations.removeInstallation(tx);
      await outdateSlack(tx, this.deps, tightening(by));
      await this.deps.audit.record(tx, {
        action: 'slack.removed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'tenant', id: by.tenantId },
        payload: { team_id: installation.teamId, team_name: installation.teamName },
      });
      await this.deps.follower.removed(tx, { actor: actorOf(by), personId: by.personId }, installation);
    });
  }

  #redirectUrl(): string {
    return `${this.deps.addresses.publicUrl}/slack/oauth/callback`;
  }
}

/** The workspace is chosen on Slack's consent page. */
const INSTALLING = {
  what: 'Slack in a workspace',
  loosens: [
    'the owner of the workspace can press buttons as anybody who links their account there',
    'requests and incidents are told there',
  ],
};

/** A workspace that waits for a second person, as it is stored. The bot's token is stored apart. */
const wantedWorkspace = z.strictObject({
  team_id: z.string(),
  team_name: z.string(),
  app_id: z.string(),
  bot_user_id: z.string(),
  bot_scopes: z.string(),
  sealed_digest: z.templateLiteral(['sha256:', z.string()]),
});
type WantedWorkspace = z.infer<typeof wantedWorkspace>;

const wantedOf = (installed: Installed, sealed: Digest): WantedWorkspace => ({
  team_id: installed.teamId,
  team_name: installed.teamName,
  app_id: installed.appId,
  bot_user_id: installed.botUserId,
  bot_scopes: installed.scopes,
  sealed_digest: sealed,
});

const noApp: Failure = {
  kind: 'conflict',
  code: 'slack.no_app',
  message: 'The tenant has no Slack app yet.',
  action: 'Make one from the manifest, and enter its client id, client secret and signing secret.',
};

const badState: Failure = {
  kind: 'unauthenticated',
  code: 'slack.state',
  message: 'This installation was not begun here, was finished already, or took longer than ten minutes.',
  action: 'Begin again in the settings.',
};

const declined: Failure = {
  kind: 'conflict',
  code: 'slack.declined',
  message: 'You declined the installation at Slack, so nothing was installed.',
  action: 'Begin again in the settings if you want to install it.',
};

const workspaceTaken: Failure = {
  kind: 'conflict',
  code: 'slack.workspace_taken',
  message: 'This app is installed in this workspace for somebody else.',
  action: 'Make an app of your own from the manifest.',
};

const refusedBySlack = (code: string): Failure => ({
  kind: 'unprocessable',
  code: 'slack.oauth',
  message: `Slack refused the installation: ${code}.`,
  action: 'Check client id, client secret and redirect address against those that Slack shows, then begin again.',
});
