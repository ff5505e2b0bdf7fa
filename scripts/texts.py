# SPDX-License-Identifier: MIT
"""Extraction of comments, string literals and prose from the files of the repository."""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sources import ROOT

FOLDERS = (
    "Sources", "include", "WebView", "bindings", "examples", "Benchmarks", "Tests", "scripts",
    ".ci", "docs",
)  # fmt: skip
FILES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile", "Package.swift")
# Recorded data, inputs of tests, and the list of counted words.
DATA = ("Tests/Vectors/", "Tests/Fuzz/Seeds/", "Tests/Migration/Files/", "scripts/check-language")
# A string with these is a name or a pattern, not a sentence.
SENTENCE = re.compile(r"[A-Za-z] [A-Za-z]")
SWIFT_TOKEN = re.compile(
    r'(?P<doc>///[^\n]*)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>(#+)"(?:""(?:.|\n)*?""|(?:.|\n)*?)"\4)'
    r'|(?P<long>"""(?:\\.|.)*?""")|(?P<text>"(?:\\\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\)|\\.|[^"\\\n])*")'
    r"|(?P<name>`[^`\n]* [^`\n]*`)",
    re.S,
)
C_TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*")|(?P<letter>\'(?:\\.|[^\'\\])+\')',
    re.S,
)
INTERPOLATION = re.compile(r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


@dataclass(frozen=True)
class Text:
    """A comment, a string literal or a paragraph of prose."""

    line: int
    text: str
    is_comment: bool = False
    is_summary: bool = False


@dataclass(frozen=True)
class TextFile:
    """A file of the repository that contains text for readers."""

    name: str

    @property
    def content(self) -> str:
        """The content of the file."""
        return (ROOT / self.name).read_text(errors="replace")

    @property
    def module(self) -> str:
        """The module, folder or group of pages to which the file belongs."""
        parts = self.name.split("/")
        if self.name.endswith((".md", ".toml")) and parts[0] != "Tests":
            return "pages"
        if parts[0] in ("Sources", "Tests"):
            return parts[1] if parts[0] == "Sources" else "/".join(parts[:2])
        return parts[0] if len(parts) > 1 and parts[0] != ".ci" else "scripts"

    @property
    def texts(self) -> Iterator[Text]:
        """Every comment, string literal and paragraph."""
        content, suffix = self.content, Path(self.name).suffix
        if suffix == ".swift":
            yield from swift_texts(content)
        elif suffix in (".c", ".h"):
            yield from c_texts(content)
        elif suffix == ".py" or content.startswith("#!/usr/bin/env python3"):
            yield from python_texts(content)
        elif suffix in (".md", ".toml"):
            yield from page_texts(content)
        else:
            yield from shell_texts(content)


def line_of(content: str, position: int) -> int:
    """Returns the line number of a position."""
    return content.count("\n", 0, position) + 1


def swift_texts(content: str) -> Iterator[Text]:
    """Yields comments, sentences in string literals and test names."""
    last_doc = -1
    for match in SWIFT_TOKEN.finditer(content):
        line = line_of(content, match.start())
        kind, text = match.lastgroup, match.group()
        if kind == "doc":
            yield Text(line, text.lstrip("/ "), True, last_doc != line - 1)
            last_doc = line
        elif kind == "comment":
            yield Text(line, text.strip("/* \n"), True, line == 2)
        elif SENTENCE.search(text := INTERPOLATION.sub("_", text)):
            yield Text(line, text)


def c_texts(content: str) -> Iterator[Text]:
    """Yields comments and sentences in string literals."""
    for match in C_TOKEN.finditer(content):
        line, text = line_of(content, match.start()), match.group()
        if match.lastgroup == "comment":
            is_block = text.startswith("/*")
            for number, part in enumerate(text.split("\n")):
                first = number == 0 or (number == 1 and text.split("\n")[0].strip(" /*") == "")
                stripped = part.strip("/*! ")
                yield Text(line + number, stripped, True, first and (is_block or line == 2))
        elif SENTENCE.search(text):
            yield Text(line, text)


def python_texts(content: str) -> Iterator[Text]:
    """Yields comments, docstrings and sentences in string literals."""
    statement_start = True
    skipped = (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT)
    for token in tokenize.generate_tokens(io.StringIO(content).readline):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            yield Text(line, token.string.lstrip("#! "), True)
        elif token.type == tokenize.STRING:
            if statement_start:
                for number, part in enumerate(token.string.strip("rbfu\"'").split("\n")):
                    yield Text(line + number, part.strip(), True, number == 0)
            elif SENTENCE.search(token.string):
                yield Text(line, re.sub(r"\{[^{}]*\}", "_", token.string))
        statement_start = token.type in skipped or (statement_start and token.type == tokenize.ENCODING)


def shell_texts(content: str) -> Iterator[Text]:
    """Yields the comments of a shell script or a makefile."""
    for number, line in enumerate(content.split("\n"), 1):
        comment = re.search(r"(?:^|\s)(#+)(?!!)\s(.*)", line)
        if comment:
            is_summary = number == 3 or comment.group(1) == "##"
            yield Text(number, comment.group(2), True, is_summary)


def page_texts(content: str) -> Iterator[Text]:
    """Yields the lines of a page without its code."""
    is_code = False
    for number, line in enumerate(content.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and line.strip():
            yield Text(number, re.sub(r"`[^`]*`|\]\([^)]*\)", "`_`", line), True)


def text_files() -> list[TextFile]:
    """Returns all files that the repository knows, without recorded data."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *FOLDERS, *FILES],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    kinds = (".swift", ".c", ".h", ".py", ".md", ".toml", ".sh", "")
    return [
        TextFile(name) for name in sorted(set(listed))
        if Path(name).suffix in kinds and not name.startswith(DATA) and (ROOT / name).is_file()
        and Path(name).name not in ("LICENSE", "base-commit", "inventory.toml", "pyproject.toml")
    ]  # fmt: skip
