#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# javascript.sh: what prettier, ESLint and TypeScript find in the viewer's page, on a server and
# without one, and in the package of npm, whose types a program in TypeScript uses. Needs Node.js 18
# or later and npm, which installs the tools at the versions of package-lock.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/gates/tools.sh

npm ci --prefix "$tools" --no-audit --no-fund --loglevel error

log=$(mktemp)
planted=$(mktemp -d -p "$tools" planted.XXXXXX)
trap 'rm -rf "$log" "$planted"' EXIT
# Long enough to be broken, an unused variable, and a number that is used as a string.
cat >"$planted/planted.js" <<'JS'
export const total = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"].join(",");
const unused = total;
JS
cat >"$planted/typed.js" <<'JS'
/** @param {number} count */
export const planted = (count) => count.trim();
JS
cat >"$planted/tsconfig.json" <<JSON
{ "extends": "../tsconfig.json", "include": ["./*"] }
JSON
must_find planted.js run_prettier "$planted/planted.js"
must_find no-unused-vars run_eslint "$planted/planted.js"
must_find TS2339 run_tsc "$planted"

run_prettier "$page"/*.{js,ts,css,html} "$alone"/*.{js,css} "$tools"/*.{js,json} \
  "$package"/*.{js,ts,json} "$package"/bin/*.js tests/javascript/types.ts
run_eslint "$page" "$alone" "$package" "$tools"/*.js
run_tsc "$tools"
