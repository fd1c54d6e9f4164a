/** A misspelt word may keep so many letters of the ending that a stem lacks. */
const MAX_ENDING = 3;

/**
 * Whether a word is a stem with at most one typing error. The error is a letter too many, missing, wrong, or in the
 * place of its neighbour. The first letter is the same: a prefix makes another word of it, often the opposite, as
 * "undeploy" does.
 */
export function isMisspelling(word: string, stem: string): boolean {
  const longer = word.length - stem.length;
  if (!word.startsWith(stem.charAt(0)) || longer < -1 || longer > MAX_ENDING) return false;
  let at = 0;
  while (at < stem.length && word[at] === stem[at]) at += 1;
  const [said, meant] = [word.slice(at), stem.slice(at)];
  const [tooMany, missing] = [said.slice(1), meant.slice(1)];
  const neighbours = `${meant.charAt(1)}${meant.charAt(0)}${meant.slice(2)}`;
  return (
    tooMany.startsWith(meant) || said.startsWith(missing) || tooMany.startsWith(missing) || said.startsWith(neighbours)
  );
}
