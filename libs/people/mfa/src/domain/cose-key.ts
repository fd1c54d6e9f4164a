import { encodeBase64Url, parsePasskeyPublicKey } from '#lib/verifier';

/** A value of the little CBOR (RFC 8949) that a COSE_Key is made of. */
type Item = number | Uint8Array;

/** Labels of COSE_Key (RFC 9052 section 7.1). The labels of its three kinds are of RFC 9053 section 7 and RFC 8230 section 4. */
const KTY = 1;
const ALG = 3;
const FIRST = -1;
const SECOND = -2;
const THIRD = -3;
const EXPONENT_65537 = 'AQAB';
const MAX_BYTES = 1_024;

/**
 * A passkey's COSE key in the one spelling that evidence and the verifier have for it.
 *
 * @returns null for a key that the verifier could not check. Its algorithm, curve or exponent is another, or its
 * members are more or fewer.
 */
export function passkeyPublicKeyOf(cose: Uint8Array): string | null {
  const key = cose.length > MAX_BYTES ? null : readMap(cose);
  if (key === null) return null;
  const text = textOf(key);
  return text !== null && parsePasskeyPublicKey(text) !== null ? text : null;
}

function textOf(key: ReadonlyMap<number, Item>): string | null {
  const [first, second, third] = [key.get(FIRST), key.get(SECOND), key.get(THIRD)];
  switch (`${String(key.get(KTY))} ${String(key.get(ALG))} ${String(key.size)}`) {
    case '2 -7 5':
      return first === 1 && isBytes(second, 32) && isBytes(third, 32)
        ? `ES256:${encodeBase64Url(Uint8Array.of(...second, ...third))}`
        : null;
    case '1 -8 4':
      return first === 6 && isBytes(second, 32) ? `EdDSA:${encodeBase64Url(second)}` : null;
    case '3 -257 4':
      return isBytes(first) && isBytes(second) && encodeBase64Url(second) === EXPONENT_65537
        ? `RS256:${encodeBase64Url(first)}`
        : null;
    default:
      return null;
  }
}

const isBytes = (item: Item | undefined, length?: number): item is Uint8Array =>
  item instanceof Uint8Array && (length === undefined || item.length === length);

/** One map of whole numbers to whole numbers and byte strings, no label twice, and nothing after it. Null for all else. */
function readMap(bytes: Uint8Array): ReadonlyMap<number, Item> | null {
  const head = headAt(bytes, 0);
  if (head?.major !== 5) return null;
  const map = new Map<number, Item>();
  let at = head.end;
  for (let left = head.value; left > 0; left -= 1) {
    const label = itemAt(bytes, at);
    const value = label === null ? null : itemAt(bytes, label.end);
    if (label === null || value === null || typeof label.item !== 'number' || map.has(label.item)) return null;
    map.set(label.item, value.item);
    at = value.end;
  }
  return at === bytes.length ? map : null;
}

function itemAt(bytes: Uint8Array, at: number): { readonly item: Item; readonly end: number } | null {
  const head = headAt(bytes, at);
  if (head === null) return null;
  const { major, value, end } = head;
  if (major === 0) return { item: value, end };
  if (major === 1) return { item: -1 - value, end };
  if (major !== 2 || end + value > bytes.length) return null;
  return { item: bytes.slice(end, end + value), end: end + value };
}

/** Lengths of one and two bytes are the longest that a key needs. */
function headAt(bytes: Uint8Array, at: number): { major: number; value: number; end: number } | null {
  const [first = 0xff, second = 0, third = 0] = bytes.subarray(at, at + 3);
  const short = first & 0x1f;
  const end = at + (short < 24 ? 1 : short - 22);
  if (short > 25 || end > bytes.length) return null;
  return { major: first >> 5, value: short < 24 ? short : short === 24 ? second : second * 256 + third, end };
}
