import type { Effect } from './effect.js';

/** Variables that choose the program, library or configuration that something else executes; also those of zsh and of programs. */
const CHANGES_WHAT_RUNS =
  /^(?:PATH|path|fpath|cdpath|module_path|IFS|ENV|CDPATH|HOME|SHELL|USERPROFILE|TERMINFO|TERMCAP|TMPDIR|EDITOR|VISUAL|BROWSER|FCEDIT|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|NULLCMD|READNULLCMD|DISPLAY|aliases|galiases|saliases|functions|commands|options|histchars|HISTCHARS|PS[0-4]|precmd|preexec|chpwd|KUBECONFIG|[A-Za-z_]*(?:PAGER|EDITOR|ASKPASS|PROXY|proxy|PRELOAD)|(?:LD|DYLD|GIT|BASH|LESS|MAN|PYTHON|PERL|RUBY|GEM|BUNDLE|NODE|npm_config|NPM_CONFIG|JAVA|JDK_JAVA|MAVEN|GRADLE|GO|RUST|CARGO|CC|CXX|AR|MAKE|RIPGREP|GREP|FZF|TAR|RSYNC|SSH|GPG|GNUPG|OPENSSL|SSL|CURL|WGET|AWS|AZURE|GOOGLE|CLOUDSDK|KUBE|HELM|DOCKER|TF|VAULT|ANSIBLE|PG|MYSQL|ZDOT|XDG)[A-Z_]*)$/;

/** Variables that change how output looks, in which language and which time zone. */
const HARMLESS =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|COLORTERM|NO_COLOR|CLICOLOR|CLICOLOR_FORCE|FORCE_COLOR|COLUMNS|LINES|CI|DEBIAN_FRONTEND|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|LESSCHARSET|POSIXLY_CORRECT|BLOCKSIZE|BLOCK_SIZE|GREP_COLORS?|NODE_ENV|DEBUG|VERBOSE|_)$/;

/** Variables that change which files a glob names: bash gives hidden ones too if GLOBIGNORE is set. */
const CHANGES_GLOBS = /^(?:GLOBIGNORE|FIGNORE|fignore)$/;

const PROMPT = /^PS[0-4]$/;

const isPager = (name: string): boolean => name.endsWith('PAGER');

/**
 * The effect of giving a variable a value, or null.
 *
 * @param name with a dollar sign in front if its value is the name: `$(($x = 1))`
 * @param value null if the line does not show it
 * @param exported true if programs see it: `NAME=value program`, export, env. Those read variables that no list is complete for, so
 *   that only the harmless ones are known.
 */
export function assignmentEffect(
  name: string,
  value: string | null,
  exported: boolean,
  at: { readonly start: number; readonly end: number },
): Effect | null {
  if (name.startsWith('$')) {
    const message = `The value of ${name} decides which variable gets another value.`;
    return { class: 'UNKNOWN', tier: 2, code: 'shell.changes_what_runs', message, start: at.start, end: at.end };
  }
  // Most variables of a line have one letter, and no listed one but `_` has.
  if (name.length === 1 && name !== '_') return exported ? mayChange(name, at) : null;
  if (HARMLESS.test(name) || (isPager(name) && (value === '' || value === 'cat'))) return null;
  if (PROMPT.test(name) && (value === null || /[$`]/.test(value))) {
    const message = `A shell executes the commands in ${name} when it shows a prompt or traces a command.`;
    const tier = value === null ? 2 : 3;
    return { class: 'UNKNOWN', tier, code: 'shell.prompt_expansion', message, start: at.start, end: at.end };
  }
  if (CHANGES_WHAT_RUNS.test(name)) {
    const message = `The variable ${name} changes which program runs, or how it is set up.`;
    return { class: 'UNKNOWN', tier: 2, code: 'shell.changes_what_runs', message, start: at.start, end: at.end };
  }
  if (CHANGES_GLOBS.test(name)) {
    const message = `The variable ${name} changes which files a glob names: hidden ones, too.`;
    return { class: 'READ_ONLY', tier: 2, code: 'shell.reads_secret', message, start: at.start, end: at.end };
  }
  return exported ? mayChange(name, at) : null;
}

function mayChange(name: string, at: { readonly start: number; readonly end: number }): Effect {
  const message = `The variable ${name} may change how the program runs.`;
  return { class: 'UNKNOWN', tier: 2, code: 'shell.sets_environment', message, start: at.start, end: at.end };
}
