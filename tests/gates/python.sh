#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# python.sh: what flake8 finds in the Python of the tree.
set -euo pipefail
cd "$(dirname "$0")/../.."

# Programs extend sys.path before they import from another folder (E402), and a package imports
# the names that it offers (F401).
flake8=(flake8 --isolated --max-line-length 100 --extend-ignore E402
  --per-file-ignores '*/__init__.py:F401')

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for fault in F401 F821 E501; do
  if printf 'import os\nunknown()\n%0101d\n' 0 | "${flake8[@]}" - >"$log" ||
    ! grep -q "$fault" "$log"; then
    cat "$log" >&2
    echo "python.sh: flake8 did not find the planted $fault" >&2
    exit 1
  fi
done

git ls-files -z '*.py' | xargs -0 "${flake8[@]}"
