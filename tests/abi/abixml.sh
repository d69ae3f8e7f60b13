#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# abixml.sh ROOT LIBRARY OUT: describes the binary interface of ROOT's library to abidiff.
#
# The description is made from the headers and the version script only, with a library whose
# functions do nothing. So it has no private types, and is the same on every machine and in
# every run, whatever the comments and line numbers of the headers are. It keeps the names of
# files with their directories, because abidiff does not see changes of members without them.
# The compiler is gcc, as others give another order.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$1
library=$2
out=$3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cp -r "$root/include" "$work/include"
cp "$root/lib/${library#lib}.map" "$work/symbols.map"
abi=$(sed -n 's/^#define GT_ABI_VERSION //p' "$work/include/gotrace/version.h")
cd "$work"
python3 "$here/api.py" strip include
python3 "$here/api.py" stub include symbols.map >stub.c
gcc -std=c11 -g -O0 -fPIC -shared -fvisibility=hidden -ffile-prefix-map="$work=." \
    -I include -Wl,-soname,"$library.so.$abi" -Wl,--version-script=symbols.map -o stub.so stub.c
abidw --headers-dir include --no-corpus-path --no-comp-dir-path --no-elf-needed \
    --no-parameter-names --no-write-default-sizes --out-file stub.abi stub.so
place="line='[0-9]*' column='[0-9]*'"
sed -e "/<\(var-decl\|function-decl\|parameter\) /s/ filepath='[^']*' $place//" \
    -e "s/ $place/ line='1' column='1'/" \
    -e 's/^ *//' stub.abi >"$work/out"
cd - >/dev/null
mv "$work/out" "$out"
