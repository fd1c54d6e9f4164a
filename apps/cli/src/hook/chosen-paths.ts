/** A pattern with more alternatives than this is refused. */
const MAX_PATHS = 100;

/**
 * The paths that a glob of a host's search chooses, for a judgement that knows `*` and `?` alone. Each alternative in braces
 * becomes a path, and a class becomes any character. ripgrep lets a wildcard stand for nothing or for the dot of a hidden file,
 * so that `*env` means `.env` too. Claude Code divides a pattern at blanks, and at commas if it has no braces. So each part
 * counts as well.
 *
 * @returns null if the pattern has too many alternatives
 */
export function chosenPaths(pattern: string): readonly string[] | null {
  const paths = new Set<string>();
  const parts = pattern.split(/\s+/);
  const open = [pattern, ...parts, ...parts.flatMap((part) => (part.includes('{') ? [] : part.split(',')))];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === '') continue;
    const [whole, before = '', alternatives = '', after = ''] = /^(.*)\{([^{}]*)\}(.*)$/s.exec(next) ?? [];
    if (whole === undefined) for (const path of readings(next.replace(/\[[^\]]+\]/g, '?'))) paths.add(path);
    else open.push(...alternatives.split(',').map((each) => `${before}${each}${after}`));
    if (paths.size + open.length > MAX_PATHS) return null;
  }
  return [...paths].toSorted();
}

function readings(path: string): readonly string[] {
  const [, above = '', rest] = /^(.*\/)?[*?]+([^/*?][^/]*)$/s.exec(path) ?? [];
  return rest === undefined ? [path] : [path, above + rest, `${above}.${rest}`];
}
