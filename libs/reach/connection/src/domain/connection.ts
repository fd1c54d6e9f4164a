import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { canonicalJson, type JsonObject } from '#lib/canonical';
import type { ChangeKind, ConnectionId, PersonId } from '#lib/kernel';
import type { ReceiverFamily } from './check-address.js';

/** The members of every connection that an admin sets. */
export interface ConnectionSettings {
  /** HTTPS, without credentials, query and fragment: it is shown, and kept in the audit log. */
  readonly url: string;
  /** The certificates in PEM that alone vouch for it; null for the public authorities. */
  readonly ca: string | null;
}

/** The settings of one kind: those of every connection, and its own. All are kept in changes, as JSON. */
export type KindSettings = ConnectionSettings & JsonObject;

/** The state of a connection beside its settings. Times are epoch milliseconds. */
export interface ConnectionState {
  readonly id: ConnectionId;
  readonly hasToken: boolean;
  /** Raised whenever it is another server: nothing that is known of the former one holds. */
  readonly generation: number;
  /** When it last did what it is for; null for never. */
  readonly answeredAt: number | null;
  /** The failure since then, masked; null for none. */
  readonly error: string | null;
  readonly errorAt: number | null;
  readonly createdBy: PersonId;
  readonly createdAt: number;
}

/** A server that a tenant named for one purpose, its only one of this kind. */
export type Connection<S extends KindSettings> = S & ConnectionState;

/** A connection at one time. */
export type Generation = Pick<ConnectionState, 'id' | 'generation'>;

/** A kind of connection. Each has a table of its own, which is named like it. */
export interface ConnectionKind<S extends KindSettings> {
  /** The kind of its changes, and the type of the subject of its audit entries. */
  readonly kind: ChangeKind;
  /** The first word of its error codes. */
  readonly family: ReceiverFamily;
  /** As people read it: `SIEM collector`. */
  readonly name: string;
  /** The loosening by its address: `the events of the audit log are sent`. */
  readonly sends: string;
  /** Reads the settings out of a row. Other members are left out. */
  readonly settings: z.ZodType<S>;
  /** The settings and the id, as a change stores them. */
  readonly payload: z.ZodType<S & { readonly id: string }>;
  /** Whether both name the same server, so that its failures and measures stay. */
  readonly isSame: (one: S, other: S) => boolean;
}

/** The loosening of a change, in words: data that leave Countersign for another server. */
export function loosenedConnection(
  sends: string,
  before: ConnectionSettings | null,
  after: ConnectionSettings,
): readonly string[] {
  if (before === null) return [`${sends} to ${after.url}`];
  return [
    ...(after.url === before.url ? [] : [`${sends} to ${after.url}, not to ${before.url}`]),
    ...(after.ca === before.ca ? [] : [checkedAgainst(after)]),
  ];
}

const checkedAgainst = ({ url, ca }: ConnectionSettings): string =>
  ca === null
    ? `the certificate of ${url} is checked against the public authorities`
    : `the certificate of ${url} is checked against the authorities of this change only`;

/** The revision of the settings of a connection. */
export const connectionRevision = <S extends KindSettings>(
  { settings }: Pick<ConnectionKind<S>, 'settings'>,
  of: S,
): string => revisionOf(settings.parse(of));

/** SHA-256 of settings, in hex: the same until one of them changes. A change names it, so that it replaces no later one. */
export const revisionOf = (settings: JsonObject): string =>
  createHash('sha256').update(canonicalJson(settings), 'utf8').digest('hex');
