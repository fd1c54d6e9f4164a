/**
 * Settings of git that win over those of the repository. There, anybody who writes to the workspace can name programs
 * (T51). These are hooks, the file monitor, pagers, and helpers for passwords and signatures. Filters, textconv and
 * merge drivers have names that only the repository knows, and an empty `diff.external` would end every `git diff`. So
 * a search for them comes before a line of Tier 1 runs git. A folder that merely looks like a bare repository is none:
 * an ordinary write could have made it.
 */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.askPass', 'false'],
  ['core.sshCommand', 'ssh'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['interactive.diffFilter', ''],
  ['credential.helper', ''],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['protocol.ext.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['diff.submodule', 'short'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** The variables of git for a program of a line. */
export const GIT_VARIABLES: Readonly<Record<string, string>> = {
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_ASKPASS: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${String(index)}`, key],
      [`GIT_CONFIG_VALUE_${String(index)}`, value],
    ]),
  ),
};
