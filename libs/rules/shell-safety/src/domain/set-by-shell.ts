/**
 * Variables to which the shell itself gives words of the line, answers of a person, or text of data. Sources: the manual of bash 5.3,
 * section Bash Variables, and zshparam(1) with the modules of zsh 5.9.
 */
const SET_BY_SHELL: ReadonlySet<string> = new Set(
  (
    '_ OPTARG COPROC DIRSTACK FUNCNAME MAPFILE REPLY OLDPWD COMPREPLY COMP_LINE COMP_WORDS READLINE_ARGUMENT READLINE_LINE ' +
    'argv match MATCH reply dirstack funcstack functrace funcfiletrace funcsourcetrace history historywords aliases galiases saliases ' +
    'functions commands parameters nameddirs userdirs jobtexts jobdirs words BUFFER LBUFFER RBUFFER CUTBUFFER PREBUFFER ' +
    'ZSH_ARGZERO ZSH_EXECUTION_STRING ZSH_SCRIPT'
  ).split(' '),
);

/** Versions of bash, which no line chooses. */
const SET_ONCE = /^BASH_VERS(?:ION|INFO)$/;

/** True if the shell itself gives the variable text, so that the line can choose it without an assignment: `: .env; cat $_`. */
export const isSetByShell = (name: string): boolean =>
  SET_BY_SHELL.has(name) || (name.startsWith('BASH_') && !SET_ONCE.test(name));
