"""Headless Chromium, for the sessions that drive it."""

import json
import os
import subprocess
import threading

LIMIT = 60


class Browser:
    """Headless Chromium, told what to do over a pair of pipes."""

    def __init__(self, folder, *options):
        own_read, its_write = os.pipe()
        its_read, own_write = os.pipe()
        self.output, self.input = os.fdopen(own_write, "wb", buffering=0), os.fdopen(own_read, "rb", buffering=0)
        self.log = open(os.path.join(folder, "chromium.log"), "wb")
        profile = os.path.join(folder, "profile")
        # Chromium reads orders from 3 and answers on 4.
        command = (
            "exec chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run"
            f" --remote-debugging-pipe --enable-logging=stderr '--user-data-dir={profile}' \"$@\" about:blank"
            f" 3<&{its_read} 4>&{its_write}")
        self.process = subprocess.Popen(
            ["bash", "-c", command, "chromium", *options], pass_fds=(its_read, its_write), stdin=subprocess.DEVNULL,
            stdout=self.log, stderr=self.log, env={**os.environ, "HOME": folder, "XDG_CONFIG_HOME": folder})
        os.close(its_read)
        os.close(its_write)
        self.changed = threading.Condition()
        self.events, self.answers, self.count, self.session = [], {}, 0, None
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        rest = b""
        while piece := self.input.read(65536):
            *messages, rest = (rest + piece).split(b"\0")
            with self.changed:
                for message in map(json.loads, messages):
                    if "id" in message:
                        self.answers[message["id"]] = message
                    else:
                        self.events.append(message)
                self.changed.notify_all()

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.output.write(json.dumps(message).encode() + b"\0")
        with self.changed:
            if not self.changed.wait_for(lambda: message["id"] in self.answers, LIMIT):
                raise SystemExit(f"Chromium did not answer {method} within {LIMIT} s")
            answer = self.answers[message["id"]]
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def wait(self, what, find):
        """Waits for an event in which `find` finds something, prints `what`, and gives what was found."""
        def found():
            return next((value for value in map(find, self.events) if value), None)
        with self.changed:
            if not self.changed.wait_for(found, LIMIT):
                raise SystemExit(f"not {what} within {LIMIT} s: {[json.dumps(event)[:300] for event in self.events[-5:]]}")
            print(what, flush=True)
            return found()

    def open(self, address):
        """Opens a page in a tab of its own, which everything is about from now on."""
        target = self.call("Target.createTarget", url=address)
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.call("Runtime.enable")

    def value(self, expression, **more):
        """What an expression is worth in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, **more)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def tell_log(self, to):
        """Prints the end of what the browser said."""
        self.log.flush()
        with open(self.log.name, errors="replace") as text:
            print(text.read()[-4000:], file=to)
