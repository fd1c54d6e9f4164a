/** A JSON object, or a form's fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** The app as Slack would show its credentials, and who is in the workspace. */
export interface LocalWorkspace {
  readonly teamId: string;
  readonly teamName: string;
  readonly appId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  readonly botToken: string;
  /** By id: the channel's name. */
  readonly channels: Readonly<Record<string, string>>;
  /** By id: the user's name. */
  readonly users: Readonly<Record<string, string>>;
}

export interface LocalMessage {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  text: string;
  blocks: readonly Fields[];
  readonly metadata: Fields | null;
  edits: number;
  /** Milliseconds of the server's own clock. */
  readonly at: number;
}

export interface LocalEphemeral {
  readonly channel: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Fields[];
  /** Whether the user has sent it away. */
  dismissed?: true;
}

export interface LocalModal {
  readonly id: string;
  readonly user: string;
  readonly view: Fields;
}

/** What stands in a workspace, as its page shows it. */
export interface Workspace {
  readonly workspace: LocalWorkspace;
  readonly ephemerals: readonly LocalEphemeral[];
  readonly modals: readonly LocalModal[];
  /** What stands in a channel by itself. */
  in(channel: string): readonly LocalMessage[];
  /** What stands in the thread of a message. */
  thread(ts: string): readonly LocalMessage[];
}
