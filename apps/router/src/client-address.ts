import { BlockList, isIPv6 } from 'node:net';

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
    return said !== undefined && said !== '' && this.trusts(peer) ? `${said}, ${address}` : address;
  }
}

/** An IPv4 address as such, also on a socket of IPv6. */
const plain = (peer: string): string => peer.replace(/^::ffff:(?=\d+\.)/, '');
