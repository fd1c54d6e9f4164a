import { createHash, randomBytes } from 'node:crypto';
import {
  actorOf,
  err,
  fail,
  ok,
  type AuditSink,
  type Failure,
  type PersonId,
  type PersonPrincipal,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { SlackCallError, type SlackApi, type SlackInstallations, type SlackSettings } from './notify.ports.js';

/** What the bot asks for: to write, to find its own messages again, and to know a user's name. */
export const BOT_SCOPES = [
  'chat:write',
  'commands',
  'channels:history',
  'groups:history',
  'im:history',
  'im:write',
  'users:read',
] as const;

const STATE_MS = 10 * 60_000;

/**
 * A tenant's own Slack app: its installation into one workspace by OAuth (version 2), which channel hears of which
 * environment, and who is on duty.
 *
 * Failures: `slack.no_app`, `slack.state`, `slack.oauth`, `slack.workspace_taken`.
 */
export class SlackSetUp {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: SlackInstallations,
    private readonly slack: SlackApi,
    private readonly audit: AuditSink,
    private readonly addresses: { readonly publicUrl: string; readonly slackUrl: string },
  ) {}

  settings(by: Principal): Promise<SlackSettings> {
    return this.uow.run(by.tenantId, (tx) => this.installations.settings(tx));
  }

  /** Where the admin is sent to install the app. */
  begin(by: PersonPrincipal): Promise<Result<string>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const app = await this.installations.app(tx);
      if (app === null) return err(noApp);
      const state = randomBytes(32).toString('base64url');
      await this.installations.beginInstall(tx, digestOf(state), by.personId, STATE_MS);
      const address = new URL(`${this.addresses.slackUrl}/oauth/v2/authorize`);
      address.search = new URLSearchParams({
        client_id: app.clientId,
        scope: BOT_SCOPES.join(','),
        redirect_uri: this.#redirectUrl(),
        state,
      }).toString();
      return ok(address.href);
    });
  }

  /** Slack sent the admin's browser back. The state is good once, whatever comes of it. */
  async finish(state: string, code: string): Promise<Result<{ readonly settingsUrl: string }>> {
    const begun = await this.installations.locateInstall(digestOf(state));
    if (begun === null) return err(badState);
    const { tenantId } = begun;
    const used = await this.uow.run(tenantId, async (tx) => {
      const by = await this.installations.useInstall(tx, begun.id);
      return by === null ? null : { by, app: await this.installations.app(tx) };
    });
    if (used === null) return err(badState);
    if (used.app === null) return err(noApp);
    const { by, app } = used;
    const installed = await this.slack.exchangeCode(app, code, this.#redirectUrl()).catch((error: unknown) => {
      if (error instanceof SlackCallError) return error;
      throw error;
    });
    if (installed instanceof SlackCallError) return err(refusedBySlack(installed.code));
    await this.uow.run(tenantId, async (tx) => {
      if (!(await this.installations.saveInstallation(tx, installed, by))) fail(workspaceTaken);
      await this.audit.record(tx, {
        action: 'slack.installed',
        actor: { kind: 'person', id: by, display_name: '', credential_id: null, on_behalf_of: null },
        level: 'full',
        subject: { type: 'tenant', id: tenantId },
        payload: { team_id: installed.teamId, team_name: installed.teamName, app_id: installed.appId },
      });
    });
    return ok({ settingsUrl: `${this.addresses.publicUrl}/settings/slack?installed=1` });
  }

  remove(by: PersonPrincipal): Promise<void> {
    return this.uow.run(by.tenantId, async (tx) => {
      if (!(await this.installations.removeInstallation(tx))) return;
      await this.audit.record(tx, {
        action: 'slack.removed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'tenant', id: by.tenantId },
        payload: {},
      });
    });
  }

  route(
    by: PersonPrincipal,
    routes: { readonly channels: Readonly<Record<string, string>>; readonly onDuty: readonly PersonId[] },
  ): Promise<SlackSettings> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.installations.setChannels(tx, routes.channels);
      await this.installations.setOnDuty(tx, routes.onDuty);
      await this.audit.record(tx, {
        action: 'slack.routed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'tenant', id: by.tenantId },
        payload: { channels: { ...routes.channels }, on_duty: [...routes.onDuty] },
      });
      return this.installations.settings(tx);
    });
  }

  #redirectUrl(): string {
    return `${this.addresses.publicUrl}/slack/oauth/callback`;
  }
}

const digestOf = (state: string): Buffer => createHash('sha256').update(state).digest();

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
  action: 'Check client id, client secret and redirect address against what Slack shows, then begin again.',
});
