// SPDX-License-Identifier: BSD-3-Clause
// ESLint's rules for the viewer's page: its recommended ones, and what the page's code holds to.

import js from "@eslint/js";
import globals from "globals";

// What the page does in one place only, as the viewer may be mounted below any path, and as names
// come from the trace and may hold markup.
const rootless = [
  {
    selector: "Property[key.name=/^(href|src|action)$/] > Literal[value=/^\\u002f/]",
    message: "An address is relative to the page: see viewerURL.",
  },
  {
    selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
    message: "h() and fill() make text nodes, which cannot be markup.",
  },
];
const requests = { selector: "CallExpression[callee.name='fetch']", message: "See place.js." };

const rules = {
  "array-callback-return": "error",
  "consistent-return": "error",
  "default-case-last": "error",
  eqeqeq: "error",
  "no-constructor-return": "error",
  "no-else-return": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-lonely-if": "error",
  "no-new-func": "error",
  "no-param-reassign": "error",
  "no-promise-executor-return": "error",
  "no-return-assign": "error",
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-template-curly-in-string": "error",
  "no-throw-literal": "error",
  "no-unmodified-loop-condition": "error",
  "no-unused-expressions": "error",
  "no-unused-vars": "error",
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-return": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
  "no-restricted-globals": ["error", "event", "name", "open", "close", "find", "stop", "status"],
  "no-restricted-syntax": ["error", ...rootless, requests],
};

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules,
  },
  { files: ["**/place.js"], rules: { "no-restricted-syntax": ["error", ...rootless] } },
  // The page without a server loads the trace that its address names, and the package its module.
  {
    files: ["**/shell.js", "**/host.js"],
    rules: { "no-restricted-syntax": ["error", ...rootless] },
  },
  { files: ["**/worker.js"], languageOptions: { globals: globals.worker } },
];
