#!/usr/bin/env bash
# Counts the words it is given. Replace this with the work of the skill. The script runs in the skill's directory;
# files that it writes to $SKILL_OUTPUT_DIR are handed to the caller.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: count.sh <word>..." >&2
  exit 2
fi

echo "$# words"
