# SPDX-License-Identifier: MIT
"""The results of a kind of fault: results of calls, and errors."""

from __future__ import annotations

from dataclasses import dataclass, field

from credentials import Credential
from workers import Answer, Worker


@dataclass
class Figures:
    """The results of one kind of fault."""

    runs: int = 0
    calls: int = 0
    kept: int = 0
    unkept: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    kills: int = 0
    kept_later: int = 0
    lost: list[str] = field(default_factory=list)
    deaths: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        refused = sum(self.refused.values())
        return (
            f"{self.runs} runs, {self.calls} calls: {self.kept} kept, {self.unkept} with "
            f"persisted false, {refused} refused {self.refused or ''}; {self.kills} kills; "
            f"{self.kept_later} kept after the fault; {len(self.lost)} lost, "
            f"{len(self.deaths)} crashes"
        )

    def read_output(self, worker: Worker, credential: Credential) -> list[Answer]:
        """Records the output of a writer."""
        answers = worker.take()
        for answer in answers:
            self.calls += 1
            if answer.kind in ("fetched", "cached"):
                self.kept += 1
                credential.note(answer)
            elif answer.kind == "unkept":
                self.unkept += 1
            else:
                code = answer.text.split(" ")[0]
                self.refused[code] = self.refused.get(code, 0) + 1
        return answers

    def lose(self, what: str) -> None:
        """Prints an error at once."""
        self.lost.append(what)
        print(f"LOST {what}", flush=True)

    def check(self, credential: Credential) -> None:
        """Checks that a new program finds the acknowledged tokens."""
        problem, _ = credential.check()
        if problem:
            self.lose(problem)

    @property
    def faults(self) -> int:
        """Returns the number of calls that met the fault."""
        return self.unkept + sum(self.refused.values())
