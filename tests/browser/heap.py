# SPDX-License-Identifier: BSD-3-Clause
"""What the objects of a page take, by a heap snapshot of Chromium's debugger."""

import collections
import json
import sys
import urllib.request

from browser import SKIPPED

try:
    import trio
    from trio_websocket import open_websocket_url
except ImportError:
    print("skipped: python3-trio-websocket is not installed")
    sys.exit(SKIPPED)

LARGEST_MESSAGE = 1 << 28


async def snapshot_take(socket_url):
    """Returns the snapshot as the debugger sends it: in parts of one text of JSON."""
    parts = []
    async with open_websocket_url(socket_url, max_message_size=LARGEST_MESSAGE) as socket:
        for i, method in enumerate(("enable", "collectGarbage", "takeHeapSnapshot")):
            await socket.send_message(json.dumps({"id": i, "method": f"HeapProfiler.{method}"}))
        while True:
            message = json.loads(await socket.get_message())
            if message.get("method") == "HeapProfiler.addHeapSnapshotChunk":
                parts.append(message["params"]["chunk"])
            if message.get("id") == 2:
                return json.loads("".join(parts))


class Heap:
    """The objects of the page that a browser shows."""

    def __init__(self, browser):
        self.browser = browser
        self.released = None  # scope and number of the last result that was released

    def release_results(self):
        """Releases what scripts of the test have returned to ChromeDriver: it keeps each of them
        alive as long as its page, so that they would look like a leak of the page."""
        newest = self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": "({})"})
        scope, last = newest["result"]["objectId"].rsplit(".", 1)
        first = self.released[1] + 1 if self.released and self.released[0] == scope else 1
        self.released = scope, int(last)
        for number in range(first, int(last) + 1):
            self.browser.execute_cdp_cmd("Runtime.releaseObject",
                                         {"objectId": f"{scope}.{number}"})

    def bytes_by_type(self):
        """Returns the bytes of the live objects by V8's name for their type: "code" is what V8
        compiles, "native" what Chromium holds for the document, the rest what the page's program
        keeps."""
        self.release_results()
        address = self.browser.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json") as answer:
            page = next(each for each in json.load(answer) if each["type"] == "page")
        snapshot = trio.run(snapshot_take, page["webSocketDebuggerUrl"])
        meta = snapshot["snapshot"]["meta"]
        fields, types, nodes = meta["node_fields"], meta["node_types"][0], snapshot["nodes"]
        sizes = collections.Counter()
        for kind, size in zip(nodes[fields.index("type")::len(fields)],
                              nodes[fields.index("self_size")::len(fields)]):
            sizes[types[kind]] += size
        return sizes
