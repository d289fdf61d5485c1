"""``peck`` on hostile files and archives, which want its memory, its time, or the reader's trust."""

import json
import os
import stat
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.untrusted import (
    DIRECTORY_BYTES,
    JSON_BYTES,
    JSON_COST,
    UntrustedError,
    untrusted_archive_open,
    untrusted_field,
    untrusted_json_parse,
    untrusted_line,
)
from matches.proof.archive import FORMAT, PARTS
from matches.proof.chain import Link, chain_canonical_json
from peck.__main__ import main

PEAK_KB = 300 * 1024
SECRET = bytes(32)
# VmHWM, not ru_maxrss: that one counts what the process had before it began to run another program.
RUN = """
import sys
from pathlib import Path
from peck.__main__ import main
code = main(sys.argv[1:])
(peak,) = [line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print("peak", peak, file=sys.stderr)
sys.exit(code)
"""


def peck(*arguments: str, timeout: float = 120, **environment: str) -> tuple[int, str, int]:
    """Run ``peck`` in a process of its own: exit code, output, and peak memory in kB."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        env=os.environ | environment,
    )
    assert "Traceback" not in done.stderr
    errors, _, peak = done.stderr.rpartition("peak ")
    return done.returncode, done.stdout + errors, int(peak)


def index(**changed: Any) -> dict[str, Any]:
    head = {"number": 1, "digest": "0" * 64}
    return {"format": FORMAT, "name": "Cup", "head": head, "secrets": [SECRET.hex()]} | changed


def proof(path: Path, data: bytes, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("proof.json", data)
    return path


def endless_zeros(path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("proof.json", "w") as file:
        for _ in range(2**9):
            file.write(bytes(2**20))
    return path


def packed_with_lzma(path: Path) -> Path:
    return proof(path, b" " * 2**24, zipfile.ZIP_LZMA)


def many_empty_lists(path: Path) -> Path:
    return proof(path, b"[" + b"[]," * (JSON_BYTES // 3 - 2) + b"[]]")


def as_many_keys_as_are_read(path: Path) -> Path:
    number = JSON_COST // 150 - 10
    return proof(path, b"{" + b",".join(b'"%06x":1' % one for one in range(number)) + b"}")


def as_many_objects_as_are_read(path: Path) -> Path:
    number = JSON_COST // 380 - 10
    return proof(path, '{"name": "\N{HATCHING CHICK}", "a": ['.encode() + b",".join([b'{"a":1}'] * number) + b"]}")


def wide_letters(path: Path) -> Path:
    return proof(path, '{"name": "\N{HATCHING CHICK}'.encode() + b"a" * (JSON_BYTES - 20) + b'"}')


def many_names(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(DIRECTORY_BYTES // 40):
            archive.writestr(f"{number:06}", b"")
    return path


def as_many_names_as_are_read(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(DIRECTORY_BYTES // 53):
            archive.writestr(f"{number:06}", b"")
    return path


def nested(path: Path) -> Path:
    return proof(path, b"[" * 900_000)


def sparse_record(path: Path) -> Path:
    with path.open("wb") as file:
        file.write(b"\1")
        file.truncate(7 * 2**30)
    return path


@pytest.mark.parametrize(
    "bomb",
    [
        endless_zeros,
        as_many_objects_as_are_read,
        nested,
        sparse_record,
        pytest.param(packed_with_lzma, marks=pytest.mark.slow),
        pytest.param(many_empty_lists, marks=pytest.mark.slow),
        pytest.param(as_many_keys_as_are_read, marks=pytest.mark.slow),
        pytest.param(wide_letters, marks=pytest.mark.slow),
        pytest.param(many_names, marks=pytest.mark.slow),
        pytest.param(as_many_names_as_are_read, marks=pytest.mark.slow),
    ],
)
@pytest.mark.processes
def test_no_file_exhausts_the_memory_of_the_verifier(bomb: Any, tmp_path: Path) -> None:
    code, output, peak = peck("verify", str(bomb(tmp_path / "file")))
    assert code == 1
    assert output.startswith("does not hold: ")
    assert peak < PEAK_KB
    print(f"{bomb.__name__}: {peak / 1024:.0f} MiB, {output.strip()[:100]}")


@pytest.mark.processes
@pytest.mark.parametrize("command", [["vectors"], ["replay", "bot.py"]])
def test_no_json_file_exhausts_the_memory_of_the_reader(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"[" + b"[]," * (JSON_BYTES // 3 - 2) + b"[]]")
    code, _label, peak = peck(*command, str(tmp_path / "file"))
    assert code in (1, 2)
    assert peak < PEAK_KB
    (tmp_path / "file").write_bytes(b"[" * 900_000)
    assert peck(*command, str(tmp_path / "file"))[0] in (1, 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
LINK = {"number": 1, "kind": "terms", "at": "2026-01-01T00:00:00.000000Z", "content": {}, "previous": "0" * 64}
KINDS = ["terms", "secret", "frozen", "late", "left", "apart", "renamed", "stage", "round", "swap", "result", "ruling"]


def parts(path: Path, proof_index: dict[str, Any], link: dict[str, Any]) -> Path:
    """A proof whose chain is one link, its digest right where it can be."""
    try:
        digest = Link(
            link["number"], link["kind"], link["at"], chain_canonical_json(link["content"]), link["previous"]
        ).digest
    except (TypeError, ValueError, UnicodeEncodeError):
        digest = "0" * 64
    with zipfile.ZipFile(path, "w") as archive:
        for name in PARTS:
            chained = chain_canonical_json(link | {"digest": digest}) + "\n"
            archive.writestr(name, {"proof.json": json.dumps(proof_index), "chain.jsonl": chained}.get(name, "{}"))
    return path


def archived(path: Path, main_part: str, *more: zipfile.ZipInfo | str, **changed: Any) -> Path:
    """An archive of these files; ``changed`` is what its list of files says of the last one."""
    with zipfile.ZipFile(path, "w") as archive:
        for one in (main_part, *more):
            archive.writestr(one, json.dumps(index()))
        for name, value in changed.items():
            setattr(archive.filelist[-1], name, value)
    return path


def crowded(path: Path, number: int) -> Path:
    """A proof with so many more files, all of one content."""
    data = archived(path, "proof.json").read_bytes()
    at = data.index(b"PK\1\2")
    files, end = data[at : data.index(b"PK\5\6")], bytearray(data[data.index(b"PK\5\6") :])
    listed = files + b"".join(files.replace(b"proof.json", b"%010d" % one) for one in range(number))
    end[12:16] = len(listed).to_bytes(4, "little")
    path.write_bytes(data[:at] + listed + end)
    return path


LINKED = zipfile.ZipInfo("names.json")
LINKED.external_attr = (stat.S_IFLNK | 0o777) << 16


@pytest.mark.parametrize("main_part", ["proof.json", "dataset.json"])
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_forged_archives_are_refused_with_a_sentence(
    main_part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forged.zip"

    def check(why: str, *more: zipfile.ZipInfo | str, **changed: Any) -> None:
        assert main(["verify", str(archived(path, main_part, *more, **changed))]) == 1
        assert capsys.readouterr().err.startswith(f"does not hold: {why}")

    for name in ("../names.json", "/etc/passwd", "a\\b"):
        check(f"{name!r} is a path out of the archive", name)
    check(f"{main_part} is in the archive twice", main_part)
    check("names.json is a link", LINKED)
    check("it says that its files have more than", file_size=2**40)
    check(f"{main_part} cannot be unpacked", file_size=10)


def test_an_archive_of_a_hundred_thousand_files_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(crowded(tmp_path / "crowd.zip", 100_000))]) == 1
    assert capsys.readouterr().err == "does not hold: 0000000000 is foreign\n"


@given(st.sampled_from(sorted(index()) + sorted(LINK)), JSON, st.sampled_from(KINDS))
def test_a_proof_with_values_of_any_kind_is_answered_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: Any, kind: str
) -> None:
    proof_index = index() | ({name: value} if name in index() else {})
    link = LINK | {"kind": kind} | ({name: value} if name in LINK else {})
    assert main(["verify", str(parts(tmp_path_factory.mktemp("proof") / "p.zip", proof_index, link))]) == 1


def test_an_archive_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = proof(tmp_path / "p.zip", json.dumps(index()).encode())
    end = bytearray(path.read_bytes())
    end[-10:-6] = b"\xff\xff\xff\x7f"  # the size of its list of files
    path.write_bytes(end)
    with pytest.raises(UntrustedError, match="list of files"), untrusted_archive_open(path):
        pass


FALSE = "Cup\nholds: 9 matches\r\x1b[2J\x1b]0;x\x07\N{RIGHT-TO-LEFT OVERRIDE}\N{LINE SEPARATOR}holds"


def test_the_names_in_a_proof_draw_no_line_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for link in (LINK | {"kind": FALSE}, LINK | {"content": {FALSE: 1}}):
        assert main(["verify", str(parts(tmp_path / "bad.zip", index(), link))]) == 1
        errors = capsys.readouterr().err
        assert errors.startswith("does not hold: ")
        assert len(errors.splitlines()) == 1
        assert all(one.isprintable() or one == "\n" for one in errors)


def test_fields_and_lines_have_the_required_types() -> None:
    with pytest.raises(UntrustedError, match="bool, not int"):
        untrusted_field({"a": True}, "a", int)
    with pytest.raises(UntrustedError, match="missing"):
        untrusted_field({}, "a", int)
    with pytest.raises(UntrustedError, match="values"):
        untrusted_json_parse(b"[1,2,3]", cost=100)
    assert untrusted_line("a\nb\x1bc") == "a\ufffdb\ufffdc"
    assert untrusted_line("a" * 9, 3) == "aaa ..."
    assert untrusted_line("50\u00a0% of 1\u202f000") == "50 % of 1 000"


def test_the_line_of_the_longest_match_is_read() -> None:
    fault = {"action": 100, "said": "0" * 64, "seat": 6, "verdict": "illegal_action"}
    game = {"faults": [fault] * 2, "places": [1] * 7, "points": [12] * 7, "record": "0" * 64}
    line = json.dumps({"games": [game] * 20_000}, separators=(",", ":")).encode()
    assert len(untrusted_json_parse(line)["games"]) == 20_000
