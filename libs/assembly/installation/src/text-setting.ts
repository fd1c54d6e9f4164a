/**
 * A text from an environment variable. An empty one counts as not set, as of a compose file with `${NAME:-}`. An empty
 * host would listen at every address of the machine.
 */
export function textSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const text = environment[name];
  return text === '' ? undefined : text;
}
