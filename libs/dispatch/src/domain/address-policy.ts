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
  return parsed.kind() === 'ipv4' || !embedsIpv4(parsed as ipaddr.IPv6);
}

/** NAT64 and 6to4 prefixes reach whatever IPv4 address they embed. */
function embedsIpv4(address: ipaddr.IPv6): boolean {
  return address.match(ipaddr.IPv6.parse('64:ff9b::'), 96) || address.match(ipaddr.IPv6.parse('2002::'), 16);
}

/** Whether the operator allows this host and port whatever its address is. */
export function isAllowedPrivateHost(allowed: AllowedPrivateHosts, hostname: string, port: number): boolean {
  const host = hostname.toLowerCase();
  return allowed.some((entry) => entry.toLowerCase() === host || entry.toLowerCase() === `${host}:${String(port)}`);
}
