#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# baseline.sh: makes the files anew with which the tests here compare the public headers:
# *.abi, pins.h and, until the first release, gotrace-0.1.h. Run it after an addition to the
# interface, review the changes, and commit them together with the addition.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

if grep -q '^## 0\.1\.0, unreleased' "$root/docs/changelog.md"; then
    python3 "$here/api.py" snapshot "$root/include" >"$here/gotrace-0.1.h"
fi
python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$root/include"
python3 "$here/api.py" pins "$root/include" >"$here/pins.h"
for library in libgotrace libgotrace-viewer libgotrace-timeline libgotrace-web; do
    "$here/abixml.sh" "$root" $library "$here/$library.abi"
done
