import type { Argument, Call, Finding, Inspect, OptionUse } from '../inspection.js';
import { namesSecret } from '../paths.js';
import { withPatterns } from '../read-word.js';
import { untrackedIn } from './git-untracked.js';

/**
 * Rules for every subcommand of git. git trusts the configuration of its working folder. Some values make it run a
 * program that the line does not show. Sources: git-log(1), git-for-each-ref(1), submodule.c and ref-filter.c of git
 * 2.47.
 */
export const git: Inspect = (words, _row, call) => {
  const findings: Finding[] = [{ kind: 'trustsFolder' }];
  if (otherFolder(words)) findings.push({ kind: 'moves' });
  for (const option of call.options) {
    const hidden = hiddenProgram(option);
    if (hidden !== null) findings.push(hidden);
    const shown = SHOWS_MORE.get(`${call.subcommand} ${option.name}`);
    if (shown !== undefined) findings.push({ ...shown, at: option.at });
  }
  const secret = call.operands.find(matchesSecret);
  if (secret !== undefined)
    findings.push(reading('shell.reads_secret', `reads ${secret.text}, which may match secrets`, secret));
  const untracked = untrackedIn(words, call);
  if (untracked !== undefined) findings.push({ ...UNTRACKED, at: untracked });
  return findings;
};

const reading = (code: string, does: string, at?: Argument): Extract<Finding, { kind: 'effect' }> => ({
  kind: 'effect',
  class: 'READ_ONLY',
  tier: 2,
  code,
  does,
  ...(at && { at }),
});

const UNTRACKED = reading('shell.reads_secret', 'shows files that git does not track, which may hold secrets');
const NAMED_BY_INPUT = reading('shell.unknown_input', 'shows objects that the line does not name');

/** Options, behind their subcommand, that show more than tracked files and named objects. */
const SHOWS_MORE: ReadonlyMap<string, Extract<Finding, { kind: 'effect' }>> = new Map([
  ['stash show -u', UNTRACKED],
  ['stash show --include-untracked', UNTRACKED],
  ['stash show --only-untracked', UNTRACKED],
  ['stash list --boundary', UNTRACKED],
  ['cat-file --batch', NAMED_BY_INPUT],
  ['cat-file --batch-command', NAMED_BY_INPUT],
  ['log --stdin', NAMED_BY_INPUT],
  ['whatchanged --stdin', NAMED_BY_INPUT],
  ['show --stdin', NAMED_BY_INPUT],
  ['diff-tree --stdin', NAMED_BY_INPUT],
]);

/** True of a quoted pattern that git compares with paths by itself: `'[.]env'`, `'\\.env'`. */
function matchesSecret(word: Argument): boolean {
  const { value } = word;
  if (value === null || !/[[\\]/.test(value)) return false;
  return namesSecret(withPatterns(word, [value.replaceAll(/\\(.)/g, '$1').replaceAll(/\[[^\]]*\]/g, '?')]));
}

/** `git -C folder`, before the subcommand. */
function otherFolder(words: readonly Argument[]): boolean {
  for (let at = 0; words[at]?.prefix.startsWith('-') === true; at++) {
    if (words[at]?.prefix.startsWith('-C') !== true) continue;
    if (words[at]?.value !== '-C' || !isHere(words[++at])) return true;
  }
  return false;
}

/** True of the folder where the command starts. */
const isHere = (word: Argument | undefined): boolean => word?.value != null && /^\.\/*$/.test(word.value);

/** `%G?` of a commit, `%(signature)` of a reference. */
const SIGNATURE = /%[-+ ]?G|%\(\*?signature|^-?\*?signature/;

/** The values with which an option runs another program, and what it does then. */
interface Running {
  readonly runs: (value: string) => boolean;
  readonly does: string;
}

const CHECKS_SIGNATURES: Running = { runs: (value) => SIGNATURE.test(value), does: 'has gpg check signatures' };

const RUNNING: ReadonlyMap<string, Running> = new Map<string, Running>([
  ['--format', CHECKS_SIGNATURES],
  ['--pretty', CHECKS_SIGNATURES],
  ['--sort', CHECKS_SIGNATURES],
  [
    '--submodule',
    {
      runs: (value) => value !== 'short' && value !== 'log',
      does: 'starts git in submodules, with the programs of their configuration',
    },
  ],
  [
    '--diff-merges',
    { runs: (value) => value.startsWith('r'), does: 'merges again, with the programs of the configuration' },
  ],
]);

function hiddenProgram({ name, value, at }: OptionUse): Finding | null {
  if (value === null) return null;
  const running = RUNNING.get(name);
  if (running === undefined || (value.value !== null && !running.runs(value.value))) return null;
  return { kind: 'effect', class: 'UNKNOWN', code: 'shell.option_executes_hidden', does: running.does, at };
}

/** Settings that hold a token or a password: `http.https://github.com/.extraheader`. */
const HOLDS_SECRET = /extraheader|credential|token|password|passwd|secret|cookie|insteadof|proxy|smtppass|apikey/i;
/** A part of the name of every setting. The addresses of remote repositories hold no password: `git remote -v` shows them, too. */
const IS_PATTERN = /[^\w.-]/;
const LISTS: ReadonlySet<string> = new Set(['-l', '--list', '--get-regexp', '--regexp', '--get-urlmatch', '--url']);

/** `git config --get user.name` reads one setting; a list of them, or a pattern, shows tokens too. */
export const gitSettings: Inspect = (_words, _row, call) => {
  const at = secretSetting(call);
  if (at === null) return [];
  const does = 'shows settings that can hold a token or a password';
  return [
    { kind: 'effect', class: 'READ_ONLY', tier: 2, code: 'shell.reads_secret', does, ...(at !== 'all' && { at }) },
  ];
};

function secretSetting({ subcommand, operands, options }: Call): Argument | 'all' | null {
  // Names alone tell no value.
  if (options.some(({ name }) => name === '--name-only')) return null;
  if (subcommand === 'config list' || options.some(({ name }) => LISTS.has(name))) return 'all';
  return operands.find(({ value }) => value === null || HOLDS_SECRET.test(value) || IS_PATTERN.test(value)) ?? null;
}
