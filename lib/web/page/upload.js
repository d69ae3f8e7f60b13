// SPDX-License-Identifier: BSD-3-Clause
// Sends files to the host.

import { ApiError } from "./api.js";

/** @param {XMLHttpRequest} request */
function answerOf(request) {
  try {
    return JSON.parse(request.responseText);
  } catch {
    return { error: `${request.status} ${request.statusText}` };
  }
}

/**
 * Sends a file and resolves to the JSON that the host answers with. XMLHttpRequest, unlike fetch,
 * tells how much has been sent.
 * @param {URL} address
 * @param {File} file
 * @param {AbortSignal} signal
 * @param {(fraction: number) => void} onProgress
 * @returns {Promise<any>}
 */
export function sendFile(address, file, signal, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (/** @type {string} */ text) => reject(new ApiError(request.status, text));
    request.open("POST", address);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 1),
    );
    request.addEventListener("load", () => {
      const answer = answerOf(request);
      if (request.status === 201) resolve(answer);
      else fail(answer.error);
    });
    request.addEventListener("error", () => fail("the server did not accept it"));
    request.addEventListener("abort", () => fail("cancelled"));
    signal.addEventListener("abort", () => request.abort());
    onProgress(0);
    request.send(file);
  });
}
