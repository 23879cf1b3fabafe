"""Types lines into a real interactive shell and prints what each ran with, and what was listed on the way.

usage: shell.py SHELL   lines on standard input; <TAB> is the key. For each line: what the shell showed, as JSON.
"""

import json
import os
import pty
import re
import select
import sys
import time

SHELLS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "bind 'set bell-style none'; bind 'set completion-query-items 1000'; bind 'set page-completions off'; "
        "bind 'set enable-bracketed-paste off'; bind 'set show-all-if-ambiguous on'; "
        'eval "$(command showcaller completions bash)"; '
        "showcaller() { if [[ $1 == ---complete ]]; then command showcaller \"$@\"; else printf '{%s}' \"$@\"; fi; }; "
        "PS1='REA''DY> '\n",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -U compinit; compinit -u -D; zstyle ':completion:*' list-max 1000; LISTMAX=1000; "
        "unsetopt beep auto_menu prompt_cr prompt_sp zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste; "
        'eval "$(command showcaller completions zsh)"; '
        "showcaller() { if [[ $1 == ---complete ]]; then command showcaller \"$@\"; else printf '{%s}' \"$@\"; fi; }; "
        "PS1='REA''DY> '\n",
    ),
    "fish": (
        ["fish", "--no-config", "-i"],
        "command showcaller completions fish | source; function showcaller; printf '{%s}' $argv; end; "
        "set -g fish_greeting; set -g fish_autosuggestion_enabled 0; "
        "function fish_prompt; echo -n 'REA''DY> '; end\n",
    ),
}


class Shell:
    def __init__(self, name):
        command, setup = SHELLS[name]
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm" if name == "fish" else "dumb", COLUMNS="200", LINES="200")
            os.execvp(command[0], command)
        time.sleep(0.3 if name == "fish" else 0)
        self.type(setup)
        self.read_to_prompt()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_to_prompt(self, limit=30):
        seen, end = b"", time.monotonic() + limit
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(self.terminal, 65536)
                except OSError:
                    break
            elif b"READY> " in seen:
                return seen.decode(errors="replace")
        raise SystemExit("no prompt within %d s: %r" % (limit, seen))


def main():
    shell = Shell(sys.argv[1])
    for line in sys.stdin.read().split("\n"):
        if not line:
            continue
        listed = ""
        parts = line.split("<TAB>")
        for index, part in enumerate(parts):
            shell.type(part)
            if index < len(parts) - 1:
                shell.type("\t")
                # The completion runs before what is typed next is read.
                deadline = time.monotonic() + 2
                while select.select([shell.terminal], [], [], 0.35)[0] and time.monotonic() < deadline:
                    listed += os.read(shell.terminal, 65536).decode(errors="replace")
        shell.type("\n")
        shown = shell.read_to_prompt()
        ran = re.findall(r"(?:\{[^{}]*\})+", shown)
        plain = re.sub(r"\x1b\[[0-9;?>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|\r|\x07", "", listed)
        print(json.dumps({"ran": ran[-1] if ran else "", "listed": plain}))
    os.close(shell.terminal)


main()
