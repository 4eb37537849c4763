# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium, driven through the pipe of its DevTools protocol (JSON messages that end with a zero byte)."""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

BROWSER = shutil.which("chromium")
PATIENCE = 120  # seconds that a page may take before a test says that it hangs


class Chromium:
    """One browser with one page. What the page says, throws or tries to load is noted in `complaints` and `requests`."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory()
        # The protocol wants the pipes as descriptors 3 and 4: they start above, where nothing is in their way.
        ours_in, theirs_out, theirs_in, ours_out = (self.above(end) for end in os.pipe() + os.pipe())
        start = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out} {theirs_in}<&- {theirs_out}>&-'
        self.process = subprocess.Popen(
            ["bash", "-c", start, BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}", "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.read_end, self.write_end = ours_in, ours_out
        self.rest, self.number, self.session, self.width = b"", 0, None, 0
        self.complaints, self.requests, self.events = [], [], []
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Performance"):
            self.ask(domain + ".enable")

    @staticmethod
    def above(descriptor):
        moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 20)
        os.close(descriptor)
        return moved

    def close(self):
        self.session = None
        try:
            self.ask("Browser.close")
            self.process.wait(10)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)
        for _ in range(20):  # its helpers may still write into the profile
            try:
                return self.profile.cleanup()
            except OSError:
                time.sleep(0.1)

    def message(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.read_end], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.read_end, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.rest += more
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = memoryview(json.dumps(request).encode() + b"\0")
        while data:
            data = data[os.write(self.write_end, data):]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self.message(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        method, what = event.get("method"), event.get("params", {})
        self.events.append(method)
        if method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in what["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(what["exceptionDetails"])[:500])
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.complaints.append(what["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])

    def open(self, file, width=1200, height=900, dark=False):
        """Opens a file, or an address, and waits for its load event."""
        self.width = width
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media="",
                 features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.complaints, self.requests, self.events = [], [], []
        self.ask("Page.navigate", url=str(file) if "://" in str(file) else f"file://{file}")
        until = time.monotonic() + PATIENCE
        while "Page.loadEventFired" not in self.events:
            self.note(self.message(until))

    def run(self, script):
        """The value of an expression in the page; of a promise, what it gives."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def metric(self, name):
        return next(m["value"] for m in self.ask("Performance.getMetrics")["metrics"] if m["name"] == name)

    def picture(self):
        """The whole page as PNG, in a window of its height, with everything laid out: usually what is out of sight is not."""
        self.run("document.head.insertAdjacentHTML('beforeend', '<style>section{content-visibility:visible!important}</style>')")
        for _ in range(3):
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            self.ask("Emulation.setDeviceMetricsOverride", width=self.width, height=min(int(size["height"]), 16000),
                     deviceScaleFactor=1, mobile=False)
            time.sleep(0.2)  # frames cannot be waited for where scripts are off
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 16000), "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)["data"])

    def paper(self):
        """The page as PDF."""
        return base64.b64decode(self.ask("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"])
