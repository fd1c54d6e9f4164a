import ipaddr from 'ipaddr.js';

/**
 * Hosts that the operator lets Countersign reach though their addresses are not public. `host` or `host:port` holds for
 * every tenant; `slug=host` or `slug=host:port` for the tenant of that slug alone.
 */
export type AllowedPrivateHosts = readonly string[];

/** The private hosts that a tenant may reach, as `host` or `host:port`. */
export const privateHostsOf = (allowed: AllowedPrivateHosts, slug: string | null): readonly string[] =>
  allowed.flatMap((entry) => {
    const { tenant, host } = partsOf(entry);
    return tenant === null || tenant === slug ? [host] : [];
  });

/** The tenants that it names, by their slugs. */
export const tenantsNamedIn = (allowed: AllowedPrivateHosts): ReadonlySet<string> =>
  new Set(allowed.flatMap((entry) => partsOf(entry).tenant ?? []));

/** No host's name holds a `=`. */
function partsOf(entry: string): { readonly tenant: string | null; readonly host: string } {
  const at = entry.indexOf('=');
  return at === -1 ? { tenant: null, host: entry } : { tenant: entry.slice(0, at), host: entry.slice(at + 1) };
}

/** The host of a virtual machine on Azure, which answers it alone: metadata stands behind a public address there. */
const AZURE_HOST = '168.63.129.16';

/**
 * True for a globally reachable unicast address. Not public are loopback, private, link-local (cloud metadata stands
 * there), carrier grade NAT, multicast and documentation. Nor are the IPv6 forms that embed such an address (IANA
 * special-purpose registries, RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false;
  // It is no IPv4, so it is IPv6.
  return parsed.kind() === 'ipv4' || isGlobalUnicast(parsed as ipaddr.IPv6);
}

/** The one IPv6 block that global addresses are given out from; outside it are forms that embed an IPv4 address (`::7f00:1`). */
const isGlobalUnicast = (address: ipaddr.IPv6): boolean => address.match(ipaddr.IPv6.parse('2000::'), 3);

/** Whether a host and port are among these, at any address. */
export function isAllowedPrivateHost(hosts: readonly string[], hostname: string, port: number): boolean {
  const host = hostname.toLowerCase();
  return hosts.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === `${host}:${String(port)}`);
}
