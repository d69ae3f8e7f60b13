#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# baseline.sh: makes the files anew with which the tests here compare the public headers:
# *.abi, pins.h and, until the first release, gotrace-0.1.h. Run it after an addition to the
# interface, or after a break that docs/changelog.md explains, review the changes, and commit them.
# It does nothing after another break.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

changelog=$root/docs/changelog.md
python3 "$here/api.py" compare "$here/gotrace-0.1.h" "$root/include" "$changelog"
python3 "$here/api.py" pinned "$here/pins.h" "$root/include" "$changelog"
if grep -q '^## 0\.1\.0, unreleased' "$changelog"; then
    python3 "$here/api.py" snapshot "$root/include" >"$here/gotrace-0.1.h"
fi
python3 "$here/api.py" pins "$root/include" >"$here/pins.h"
for library in libgotrace libgotrace-viewer libgotrace-timeline libgotrace-web \
    libgotrace-columns libgotrace-recorder; do
    "$here/abixml.sh" "$root" $library "$here/$library.abi"
done
