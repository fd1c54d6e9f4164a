import { z } from 'zod';

/** A JSON object, or a form's fields. */
export const fieldsSchema = z.record(z.string(), z.unknown());
export type Fields = Readonly<z.infer<typeof fieldsSchema>>;

/** The credentials of the app, and the channels and users of the workspace. */
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
  /** Whether the user has submitted it. */
  dismissed?: true;
}

export interface LocalModal {
  readonly id: string;
  readonly user: string;
  readonly view: Fields;
}

/** The contents of a workspace, for its page. */
export interface Workspace {
  readonly workspace: LocalWorkspace;
  readonly ephemerals: readonly LocalEphemeral[];
  readonly modals: readonly LocalModal[];
  /** The messages of a channel, without its threads. */
  in(channel: string): readonly LocalMessage[];
  /** The replies in the thread of a message. */
  thread(ts: string): readonly LocalMessage[];
}
