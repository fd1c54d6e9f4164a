import { z } from 'zod';
import {
  done,
  ok,
  type AuditSink,
  type CarriesOutChange,
  type ConfirmedChange,
  type Guarded,
  type TwoPersonRule,
  type ChangeAuthority,
  type PersonPrincipal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { slackAppSecretsSchema } from './slack.ports.js';
import type {
  SlackApp,
  SlackFollower,
  SlackInstallations,
  SlackLinks,
  SlackSettings,
  WaitingSlackSecrets,
} from './slack.ports.js';
import { appBase, outdateSlack } from './outdate-slack.js';

interface PutSlackAppDeps {
  readonly uow: UnitOfWork;
  readonly installations: SlackInstallations;
  readonly links: SlackLinks;
  readonly waiting: WaitingSlackSecrets;
  readonly twoPersonRule: TwoPersonRule;
  readonly follower: SlackFollower;
  readonly audit: AuditSink;
}

/**
 * Enters the credentials of the tenant's Slack app. The signing secret lets its holder press buttons as any Slack user.
 * So another secret ends every link and waits for a second person. The secrets wait encrypted, named by the digest of their
 * ciphertext.
 */
export class PutSlackApp implements CarriesOutChange<WantedApp> {
  readonly payload = wantedApp;

  constructor(private readonly deps: PutSlackAppDeps) {}

  execute(by: PersonPrincipal, app: SlackApp): Promise<Result<Guarded<SlackSettings>>> {
    return this.deps.uow.run(by.tenantId, async (tx) => {
      const sealed = await this.deps.waiting.seal(tx, app);
      const put = await this.#put(tx, by, app, { client_id: app.clientId, sealed_digest: sealed.digest });
      if (put.ok && put.value.outcome === 'waits') await this.deps.waiting.keep(tx, put.value.change.id, sealed);
      return put;
    });
  }

  async carryOut(tx: Tx, change: ConfirmedChange, wanted: WantedApp): Promise<Result<Guarded<SlackSettings>>> {
    const app = await this.deps.waiting.open(tx, change.changeId, wanted.sealed_digest, slackAppSecretsSchema);
    return this.#put(tx, change, app, wanted);
  }

  async #put(
    tx: Tx,
    authority: ChangeAuthority,
    app: SlackApp,
    wanted: WantedApp,
  ): Promise<Result<Guarded<SlackSettings>>> {
    const before = await this.deps.installations.lockApp(tx);
    const { installation } = await this.deps.installations.settings(tx);
    const resigned = before?.app.signingSecret !== app.signingSecret;
    const admission = await this.deps.twoPersonRule.admit(tx, authority, {
      kind: 'slack_app',
      subject: { type: 'tenant', id: tx.tenantId },
      what: `The Slack app ${app.clientId}`,
      payload: { ...wanted },
      base: appBase(before),
      loosens: loosenedApp(before?.app ?? null, app),
      detail: {
        app_before: before?.app.clientId ?? null,
        app_after: app.clientId,
        signed_by_slack_with: resigned ? 'another secret' : 'the same secret',
        accounts_linked_now: resigned ? 'all have to link again' : 'stay linked',
        ...(installation === null || before?.app.clientId === app.clientId
          ? {}
          : { commands_in_slack: 'stop until this app is installed' }),
      },
    });
    if (!admission.ok) return admission;
    if (admission.value.outcome === 'waits') return ok(admission.value);
    const { admitted } = admission.value;
    const ended = resigned ? await this.deps.links.endAll(tx) : 0;
    await this.deps.installations.saveApp(tx, app, admitted.authorId);
    await outdateSlack(tx, this.deps, admitted);
    await this.deps.follower.changed(tx);
    await this.deps.audit.record(tx, {
      action: 'slack_app.changed',
      actor: admitted.actor,
      level: 'full',
      subject: { type: 'tenant', id: tx.tenantId },
      payload: { client_id: app.clientId, ended_links: ended, ...admitted.provenance },
    });
    return ok(done(await this.deps.installations.settings(tx), admitted));
  }
}

/** An app that waits for a second person, as it is stored. Its secrets are stored apart. */
const wantedApp = z.strictObject({ client_id: z.string(), sealed_digest: z.templateLiteral(['sha256:', z.string()]) });
type WantedApp = z.infer<typeof wantedApp>;

function loosenedApp(before: SlackApp | null, after: SlackApp): readonly string[] {
  if (before?.signingSecret !== after.signingSecret)
    return [
      'anybody who knows the signing secret can press buttons in Slack as anybody who links their account from then on',
    ];
  return before.clientId === after.clientId && before.clientSecret === after.clientSecret
    ? []
    : [`Slack is installed as the app ${after.clientId}, with other credentials than before`];
}
