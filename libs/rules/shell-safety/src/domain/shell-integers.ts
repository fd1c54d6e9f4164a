/**
 * Variables that are integers from the start. The shell evaluates their text as arithmetic, so a subscript in it
 * executes commands, out of quotes too. Those of bash 5.3 are in the first line; the others are zsh's (zshparam(1),
 * params.c of 5.9).
 */
export const SHELL_INTEGERS: ReadonlySet<string> = new Set(
  (
    'RANDOM SRANDOM OPTIND HISTCMD BASHPID LINENO SECONDS EPOCHSECONDS EPOCHREALTIME BASH_MONOSECONDS BASH_SUBSHELL PPID UID EUID ' +
    'GID EGID COLUMNS LINES HISTSIZE SAVEHIST TMOUT TTYIDLE ERRNO FUNCNEST SHLVL ARGC KEYTIMEOUT LISTMAX LOGCHECK MAILCHECK BAUD ' +
    'DIRSTACKSIZE REPORTTIME REPORTMEMORY MENUSELECT ZLE_RPROMPT_INDENT ZSH_SUBSHELL TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT status'
  ).split(' '),
);
