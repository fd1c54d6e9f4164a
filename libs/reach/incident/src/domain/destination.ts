import { ownMember } from '#lib/canonical';

/** The last test message to an address. Times are epoch milliseconds. */
export interface AddressCheck {
  readonly address: string;
  readonly checkedAt: number;
  /** When the address last took a message; null for never. */
  readonly answeredAt: number | null;
  /** The reason why the last message failed or is void; null if the address took it. */
  readonly error: string | null;
  /** True if Slack was set up anew after the test began, so that its result is void. */
  readonly outdated: boolean;
}

/** The name of the channel that has an address; null if none has. */
export type ChannelOf = (address: string) => string | null;

/** Each address of the settings, once. */
export const addressesOf = (destinations: Readonly<Record<string, readonly string[]>>): readonly string[] => [
  ...new Set(Object.values(destinations).flat()),
];

/** One address of a destination, with its last test. */
export interface ReachedAddress {
  readonly address: string;
  readonly channel: string | null;
  readonly check: AddressCheck | null;
}

/**
 * The reach of a destination. `answers`: one of its addresses took the last test message; `silent`: none did;
 * `untested`: no test message was sent; `unmapped`: the settings name no address for it.
 */
export type Reach = 'answers' | 'silent' | 'untested' | 'unmapped';

/** A destination of incidents, and whether messages reach it. */
export interface Destination {
  readonly name: string;
  readonly reach: Reach;
  readonly addresses: readonly ReachedAddress[];
}

/** One destination with the tests of its addresses. */
export function destinationNamed(
  name: string,
  destinations: Readonly<Record<string, readonly string[]>>,
  checks: ReadonlyMap<string, AddressCheck>,
  channelOf: ChannelOf,
): Destination {
  const mapped = ownMember(destinations, name) ?? [];
  const addresses = mapped.map((address) => ({
    address,
    channel: channelOf(address),
    check: checks.get(address) ?? null,
  }));
  return { name, reach: reachOf(addresses), addresses };
}

function reachOf(addresses: readonly ReachedAddress[]): Reach {
  if (addresses.length === 0) return 'unmapped';
  if (addresses.some(({ check }) => check?.error === null)) return 'answers';
  return addresses.some(({ check }) => check !== null) ? 'silent' : 'untested';
}
