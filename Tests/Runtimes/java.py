# SPDX-License-Identifier: MIT
"""The runtime of Java: its classes and its driver."""

from __future__ import annotations

from pathlib import Path

from building import LIBRARY, OUTPUT, Missing, is_current, need, run

from provider import ROOT

HERE = Path(__file__).resolve().parent / "Java"
BINDING = ROOT / "bindings/java"
JNA = Path("/usr/share/java/jna.jar")
CLASSES = OUTPUT / "java"
STRICT = ("-Xlint:all", "-Xdoclint:all,-missing", "-Werror")


def build() -> None:
    """Compiles the binding, its adapter and the driver, and runs the tests of the binding."""
    need("java", "javac")
    if not JNA.exists():
        raise Missing("libjna-java is not installed")
    tests = BINDING / "tessera/src/test/java/tessera/TesseraTest.java"
    if is_current(CLASSES / "Driver.class", BINDING, HERE):
        return
    library = sorted((BINDING / "tessera/src/main").rglob("*.java"))
    run("javac", "--release", "11", *STRICT, "-cp", JNA, "-d", CLASSES, *library)
    others = [*(HERE / "stubs").rglob("*.java"), *(BINDING / "azure/src").rglob("*.java"), tests]
    run("javac", "--release", "11", *STRICT, "-cp", _classpath(), "-d", CLASSES, *sorted(others))
    test = ("java", "-Xcheck:jni", "-ea", "-cp", _classpath(), "tessera.TesseraTest")
    run(*test, TESSERA_LIBRARY=str(LIBRARY))
    # Java has no public class for signals.
    drivers = [HERE / "Driver.java", HERE / "tessera/DriverJson.java"]
    run("javac", "-cp", _classpath(), "-d", CLASSES, *drivers)


def _classpath() -> str:
    return f"{JNA}:{CLASSES}"


def command(*options: str) -> list[str]:
    """Returns the command that starts the driver, with all of its heap in memory from the start."""
    heap = ("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
    return ["java", *heap, *options, "-cp", _classpath(), "Driver"]
