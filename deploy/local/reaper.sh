#!/bin/sh
# Ends the processes of a launcher that died (kill -9, a crash). Stdin is a pipe that only the launcher holds open: end
# of file means that it is gone. $1: the launcher's process list, one line "pid started stop-signal name" per process.
# $2: environment mark of all its processes, for those not listed yet.
list=$1
mark=$2
trap '' INT TERM HUP
while read -r _; do :; done

started() {
  if [ -r /proc/self/stat ]; then
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    set -- ${stat##*) }
    [ "$1" = Z ] || echo "${20}"
  else
    ps -o lstart= -p "$1" | tr -s ' ' '_' | sed 's/_$//'
  fi
}

alive() { [ "$(started "$1")" = "$2" ]; }

while read -r pid start signal _; do
  alive "$pid" "$start" && kill "-$signal" "$pid"
done 2>/dev/null <"$list"

for _ in 1 2 3 4 5 6 7 8 9 10; do
  left=0
  while read -r pid start _; do
    alive "$pid" "$start" && left=1
  done <"$list"
  [ "$left" = 0 ] && break
  sleep 0.5
done

while read -r pid start _; do
  alive "$pid" "$start" && kill -KILL "-$pid"
done 2>/dev/null <"$list"

for environ in /proc/[0-9]*/environ; do
  [ -r "$environ" ] && grep -qzx "$mark" "$environ" || continue
  pid=${environ#/proc/}
  kill -KILL "${pid%/environ}"
done 2>/dev/null
rm -f "$list"
