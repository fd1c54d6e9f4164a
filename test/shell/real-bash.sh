# Tries each script of descriptor 3, ended by NUL, and reports on descriptor 4, in lines ended by NUL:
#   start INDEX          the script comes next
#   invalid INDEX        bash refuses to parse it
#   name INDEX NAME      bash looked for a program of that name
command_not_found_handle() {
  builtin printf 'name %s %s\0' "$countersign_index" "$1" >&57
  # Half of the names fail, so that commands behind && and behind || are tried.
  case $1 in *[02468]) builtin return 0 ;; esac
  builtin return 1
}
readonly -f command_not_found_handle
exec 58<&3 3<&- 57>&4 4>&-
# With an empty PATH, bash would look in the folder, and not call the function above.
PATH=/nonexistent
FUNCNEST=5
shopt -s extglob
enable -n kill suspend exec enable
index=0
while IFS= read -r -d '' -u 58 script; do
  builtin printf 'start %s\0' "$index" >&57
  # `set -n` has the rest of the text parsed only.
  if (eval $'set -n\n'"$script") 58<&-; then
    (
      ulimit -t 1
      readonly countersign_index=$index
      eval "$script"
    ) 58<&-
  else
    builtin printf 'invalid %s\0' "$index" >&57
  fi
  index=$((index + 1))
done
