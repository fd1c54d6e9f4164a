# Jobs of .ci/run. Several run at a time. The first that fails ends the run, and the end of the run ends all of them.

# Each job is a process group, so a signal reaches all that it started.
set -m
# A job that is asked to end stops its servers first.
ENDS_WITHIN_S=60

# Files that the run needs no longer than itself: the outputs of jobs among them. Other accounts may read them.
kept=$(mktemp -d)
chmod 755 "$kept"
# The names of the jobs that run, by process group.
declare -A jobs=()

step() { printf '\n== %s (%ss)\n' "$1" "$SECONDS"; }

# beside NAME COMMAND...: shows the output of the job once it has ended.
beside() {
  local name=$1
  shift
  "$@" < /dev/null > "$kept/$name.log" 2>&1 &
  jobs[$!]=$name
}

# ahead COMMAND...: shows the output of the job at once, and returns when it has ended.
ahead() {
  "$@" < /dev/null &
  jobs[$!]=ahead
  until_ended ahead
}

# spare COMMAND...: runs it only while other jobs leave a core idle.
spare() {
  chrt --idle --pid 0 "$BASHPID" 2> /dev/null || renice -n 19 "$BASHPID" > /dev/null
  "$@"
}

runs() {
  local name
  for name in "${jobs[@]}"; do if [ "$name" = "$1" ]; then return 0; fi; done
  return 1
}

# until_ended NAME...: returns when these jobs have ended.
until_ended() {
  local awaited group name status
  for awaited in "$@"; do
    while runs "$awaited"; do
      status=0
      wait -n -p group "${!jobs[@]}" || status=$?
      name=${jobs[$group]}
      unset "jobs[$group]"
      if [ -e "$kept/$name.log" ]; then
        printf '\n-- %s (until %ss)\n' "$name" "$SECONDS"
        cat "$kept/$name.log"
      fi
      if [ "$status" != 0 ]; then
        printf '\nFailed with status %s: %s.\n' "$status" "${name/ahead/the job above}" >&2
        exit 1
      fi
    done
  done
}

# any_left GROUP...: whether a process of these groups runs.
any_left() {
  local group
  for group in "$@"; do if kill -0 -- "-$group" 2> /dev/null; then return 0; fi; done
  return 1
}

end_jobs() {
  trap '' INT TERM HUP
  local group deadline=$((SECONDS + ENDS_WITHIN_S))
  # Bash would tell of each job that a signal has ended.
  exec 2> /dev/null
  for group in "${!jobs[@]}"; do kill -TERM -- "-$group" || true; done
  while any_left "${!jobs[@]}" && [ "$SECONDS" -lt "$deadline" ]; do sleep 0.1; done
  for group in "${!jobs[@]}"; do kill -KILL -- "-$group" || true; done
  # Tests that were ended by a signal leave their PostgreSQL and their files.
  node --input-type=module --eval 'import { clearUp } from "./test/support/temporary-folder.mjs"; await clearUp();' || true
  rm -rf "$kept"
}
trap end_jobs EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
