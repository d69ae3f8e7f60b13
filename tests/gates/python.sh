#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# python.sh: what flake8 finds in the Python of the tree.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/gates/tools.sh

log=$(mktemp)
planted=$(mktemp -d)
trap 'rm -rf "$log" "$planted"' EXIT
printf 'import os\nunknown()\n%0101d\n' 0 >"$planted/planted.py"
for fault in F401 F821 E501; do
  must_find "$fault" run_flake8 "$planted/planted.py"
done

git ls-files -z '*.py' | xargs -0 bash -c 'run_flake8 "$@"' python.sh
