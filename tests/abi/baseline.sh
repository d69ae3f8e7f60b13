#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# baseline.sh: makes anew what the tests here hold the public headers against: *.abi, pins.h, and
# as long as the first release is not out gotrace-0.1.h. To be called when something is added to
# the interface; what changed is then to be looked at, and committed with the addition.
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
