import ipaddr from 'ipaddr.js';

/** Hosts that the operator lets Countersign reach though their addresses are not public: `host` or `host:port`. */
export type AllowedPrivateHosts = readonly string[];

/**
 * True for a globally reachable unicast address. Loopback, private, link-local (cloud metadata stands there), carrier
 * grade NAT, multicast, documentation and the IPv6 forms that embed such an address are not (IANA special-purpose
 * registries, RFC 6890).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || isGlobalUnicast(parsed as ipaddr.IPv6);
}

/** The one IPv6 block that global addresses are given out from; outside it are forms that embed an IPv4 address (`::7f00:1`). */
const isGlobalUnicast = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parse('2000::'), 3) && !embedsIpv4(address);

/** 6to4 reaches whatever IPv4 address it embeds; so does NAT64, which lies outside the block. */
function embedsIpv4(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse('2002::'), 16);
}

/** Whether the operator allows this host and port whatever its address is. */
export function isAllowedPrivateHost(allowed: AllowedPrivateHosts, hostname: string, port: number): boolean {
  const host = hostname.toLowerCase();
  return allowed.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === `${host}:${String(port)}`);
}
