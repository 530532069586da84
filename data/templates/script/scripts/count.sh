#!/usr/bin/env bash
# Counts the words it is given. Replace this with the work of the skill. The script runs in a copy of the skill's
# directory, with its input files beside it; files that it writes there are handed to the caller.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: count.sh <word>..." >&2
  exit 2
fi

echo "$# words"
