import { BlockList, isIPv6 } from 'node:net';
import { addressesAlone, forwardedAddress } from '#lib/operation';

/** X-Forwarded-For, as a cell gets it: the caller's address, and the chain before it if a trusted proxy sent one. */
export class ClientAddresses {
  readonly #trusted = new BlockList();

  /** @param proxies addresses, or blocks in CIDR notation. */
  constructor(proxies: readonly string[]) {
    for (const proxy of proxies) {
      const [address = '', bits] = proxy.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#trusted.addAddress(address, family);
      else this.#trusted.addSubnet(address, Number(bits), family);
    }
  }

  /** Whether the connection comes from a trusted proxy. */
  trusts(peer: string): boolean {
    const address = plain(peer);
    return address !== '' && this.#trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  forwardedFor(peer: string, said: string | undefined): string {
    const address = plain(peer);
    return said !== undefined && said !== '' && this.trusts(peer) ? `${addressesAlone(said)}, ${address}` : address;
  }

  /**
   * The client for bounds per client: the nearest address that is no trusted proxy's. Words of strangers count for nothing, and
   * an entry that is no address counts for the proxy that sent it.
   *
   * @param said X-Forwarded-For; empty without one.
   */
  clientOf(peer: string, said: string): string {
    let client = plain(peer);
    for (const hop of said.split(',').reverse()) {
      const address = forwardedAddress(hop);
      if (!this.trusts(client) || address === null) break;
      client = plain(address);
    }
    return networkOf(client);
  }
}

/** An IPv4 address as such, also on a socket of IPv6. */
const plain = (peer: string): string => peer.replace(/^::ffff:(?=\d+\.)/, '');

/** One customer of a network has a /64 of IPv6 addresses (RFC 6177): they count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
