import { isIP } from 'node:net';
import { wrongSetting } from '#lib/kernel';

const FAMILY_BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/**
 * Reads `COUNTERSIGN_TRUSTED_PROXIES`: addresses, or blocks of them in CIDR notation. Names are refused, since nothing resolves them.
 *
 * @throws {FailureError} `start.wrong_setting`.
 */
export function trustedProxiesFrom(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const proxies = (environment.COUNTERSIGN_TRUSTED_PROXIES ?? '').split(',').flatMap((part) => part.trim() || []);
  const wrong = proxies.find((proxy) => !isBlock(proxy));
  if (wrong !== undefined)
    throw wrongSetting(
      `COUNTERSIGN_TRUSTED_PROXIES lists addresses, or blocks such as 10.0.0.0/8, separated by commas; "${wrong}" is neither.`,
    );
  return proxies;
}

function isBlock(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/');
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (FAMILY_BITS[isIP(address)] ?? -1);
}
