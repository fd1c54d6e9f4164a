const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** By character code: the six bits that a digit stands for. */
const sixBits = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value += 1) sixBits[alphabet.charCodeAt(value)] = value;

/** Base64 with padding (RFC 4648 section 4), without Node's Buffer, so that a browser can run it. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const left = bytes.length - at;
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    text += left > 1 ? alphabet.charAt((group >> 6) & 63) : '=';
    text += left > 2 ? alphabet.charAt(group & 63) : '=';
  }
  return text;
}

/** The bytes, or null for anything but the one spelling that {@link encodeBase64} gives them (unused bits are zero). */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = 0; index < digits; index += 1) {
    held = ((held << 6) | (sixBits[text.charCodeAt(index)] ?? 0)) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  const unused = held & ((1 << bits) - 1);
  return unused === 0 ? bytes : null;
}

/** Base64url without padding (RFC 4648 section 5), as WebAuthn writes bytes. */
export const encodeBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** The bytes, or null for anything but the one spelling that {@link encodeBase64Url} gives them. */
export function decodeBase64Url(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  return decodeBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
}
