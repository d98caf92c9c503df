#!/bin/sh
# Checks rules that must hold every morning, for cron or a CI job. Prints a line for each rule. The exit status is the highest of all:
# 0 if all rules hold, 11 if a rule does not hold, another status of crm if a rule could not be checked. Only reads.
highest=0
check() {
  rule=$1
  shift
  said=$(crm "$@" -q 2>&1 >/dev/null) && status=0 || status=$?
  [ "$status" -le "$highest" ] || highest=$status
  echo "$(date +%F) $status $rule${said:+: $said}"
}

check 'open leads have an owner' leads list --state open --assigned none --count --at-most 0
check 'open leads were contacted in 90 days' leads list --state open --where last_contacted=never..-90d --count --at-most 5
check 'open leads can be reached' leads list --state open --where no:email --where no:phone --count --at-most 0
check 'no proposal is new and expired' proposals list --status new --where end=..yesterday --count --at-most 0
check 'no lead stands twice' leads duplicates --by email --at-most 0
check 'leads come in' leads list --where created=-30d.. --count --at-least 1

exit "$highest"
