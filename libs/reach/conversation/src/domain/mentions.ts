/** True if the text mentions the name or address with @, as a whole word. */
export function mentions(text: string, name: string): boolean {
  if (name === '') return false;
  const words = text.toLowerCase();
  const wanted = `@${name.toLowerCase()}`;
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    if (!/^[\p{L}\p{N}_]/u.test(words.slice(at + wanted.length))) return true;
  }
  return false;
}
