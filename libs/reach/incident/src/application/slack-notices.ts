import type { People } from '#lib/approval';
import type { AutonomyReader } from '#lib/autonomy';
import type { OutboxPayloads, Tx } from '#lib/kernel';
import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import { SLACK } from '#lib/slack';
import { destinationNamed, type ChannelOf } from '../domain/destination.js';
import { silencedInWords } from '../domain/silenced.js';
import type { AlwaysNotified, DestinationCheckStore, IncidentSettingsStore } from './incident.ports.js';

interface SlackNoticesDeps {
  readonly people: Pick<People, 'standing'>;
  readonly autonomy: AutonomyReader;
  readonly settings: Pick<IncidentSettingsStore, 'read'>;
  readonly checks: Pick<DestinationCheckStore, 'all'>;
  readonly notified: AlwaysNotified;
  readonly channelOf: ChannelOf;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

/** The notice of a removed Slack workspace. Each PlatformAdmin and SecurityReviewer gets it, despite their preferences. */
export class SlackNotices implements NoticeSource<'slack.removed'> {
  constructor(private readonly deps: SlackNoticesDeps) {}

  async read(
    tx: Tx,
    { person_id: personId, team_name: teamName, at }: OutboxPayloads['slack.removed'],
  ): Promise<NoticeToTell> {
    const { destinations } = await this.deps.settings.read(tx);
    const checks = await this.deps.checks.all(tx);
    const named = Object.keys(destinations).map((name) =>
      destinationNamed(name, destinations, checks, this.deps.channelOf),
    );
    const override = (await this.deps.autonomy.current(tx))?.document.emergency_override;
    const standing = await this.deps.people.standing(tx, [personId]);
    const remover = standing.get(personId)?.displayName ?? 'An admin';
    return {
      id: `${personId}:${at}`,
      title: `${remover} removed the Slack workspace ${teamName}`,
      lines: [
        'Requests, runs and incidents no longer go to Slack, and no person decides there.',
        ...silencedInWords(named, SLACK, override?.enabled === true ? (override.notifies ?? []) : []),
        `If you did not expect it, ask ${remover}. Connect a workspace again under Settings, Slack.`,
      ],
      done: null,
      words: null,
      url: new URL('/settings/slack', this.deps.publicUrl).toString(),
      environment: null,
      people: (await this.deps.notified.read(tx)).map(({ id }) => id),
      always: true,
      alsoTo: [],
    };
  }
}
