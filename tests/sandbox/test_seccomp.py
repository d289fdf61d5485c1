"""The system call filter, run in a small simulator of BPF, against tables of numbers that are not ours."""

import ctypes
import ctypes.util
import errno
import re
import struct
from pathlib import Path

import pytest

from sandbox.inside import seccomp, syscalls

ARCHES = syscalls.ARCHITECTURES
HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def verdict(program: bytes, *, arch: int, number: int, args: tuple[int, ...] = ()) -> int:
    """What the filter answers to this call: classic BPF as the kernel runs it."""
    data = struct.pack("=IIQ6Q", number, arch, 0, *(*args, *(0,) * (6 - len(args))))
    code = list(struct.iter_unpack("=HBBI", program))
    at = accumulator = 0
    while True:
        operation, if_true, if_false, operand = code[at]
        at += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, operand)
            case 0x15:
                at += if_true if accumulator == operand else if_false
            case 0x35:
                at += if_true if accumulator >= operand else if_false
            case 0x45:
                at += if_true if accumulator & operand else if_false
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"unknown operation {operation:#x}")


def verdict_of(name: str, *args: int, arch: str = "x86_64") -> int:
    number = syscalls.number(name, arch)
    assert number is not None
    return verdict(seccomp.program(arch), arch=syscalls.AUDIT[arch], number=number, args=args)


@pytest.mark.parametrize("arch", ARCHES)
def test_every_listed_call_has_its_listed_verdict(arch: str) -> None:
    for table, expected in ((syscalls.ALLOWED, seccomp.ALLOW), (syscalls.DEADLY, seccomp.KILL)):
        for name in table:
            if syscalls.number(name, arch) is not None:
                assert verdict_of(name, arch=arch) == expected, name


@pytest.mark.parametrize("arch", ARCHES)
def test_every_other_call_fails(arch: str) -> None:
    tables = (syscalls.ALLOWED, syscalls.CONDITIONAL, syscalls.DEADLY)
    listed = {syscalls.number(name, arch) for table in tables for name in table}
    program = seccomp.program(arch)
    for number in {*range(1200), 0x3FFF_FFFF} - listed:
        assert verdict(program, arch=syscalls.AUDIT[arch], number=number) == seccomp.fails(errno.EPERM)


def test_no_number_is_listed_twice() -> None:
    for column in range(len(ARCHES)):
        tables = (syscalls.ALLOWED, syscalls.CONDITIONAL, syscalls.DEADLY)
        numbers = [row[column] for table in tables for row in table.values() if row[column] is not None]
        assert len(numbers) == len(set(numbers))


@pytest.mark.parametrize("arch", ARCHES)
def test_every_call_of_another_architecture_is_death(arch: str) -> None:
    program = seccomp.program(arch)
    others = {0x4000_0003, 0x4000_0028, 0, *syscalls.AUDIT.values()} - {syscalls.AUDIT[arch]}  # i386 and arm first
    for other in others:
        for number in range(600):
            assert verdict(program, arch=other, number=number) == seccomp.KILL


def test_x32_is_death() -> None:
    program = seccomp.program("x86_64")
    assert verdict(program, arch=syscalls.AUDIT["x86_64"], number=0x4000_0000) == seccomp.KILL
    assert verdict(program, arch=syscalls.AUDIT["x86_64"], number=0xFFFF_FFFF) == seccomp.KILL


@pytest.mark.parametrize("flags", [0o1, 0o2, 0o100, 0o1000, 0o20000000, 0o20200000 | 2])
@pytest.mark.parametrize("arch", ARCHES)
def test_files_cannot_be_opened_for_writing(flags: int, arch: str) -> None:
    assert verdict_of("openat", 0, 0, flags, arch=arch) == seccomp.fails(errno.EROFS)


@pytest.mark.parametrize("flags", [0, 0o2000000, 0o200000])
@pytest.mark.parametrize("arch", ARCHES)
def test_files_can_be_opened_for_reading(flags: int, arch: str) -> None:
    assert verdict_of("openat", 0, 0, flags, arch=arch) == seccomp.ALLOW


@pytest.mark.parametrize("arch", ARCHES)
def test_conditional_calls_look_at_their_arguments(arch: str) -> None:
    assert verdict_of("prlimit64", 0, 7, 0, 0xDEAD, arch=arch) == seccomp.ALLOW
    assert verdict_of("prlimit64", 0, 7, 0xDEAD, 0, arch=arch) == seccomp.fails(errno.EPERM)
    assert verdict_of("prlimit64", 0, 7, 0xDEAD << 32, 0, arch=arch) == seccomp.fails(errno.EPERM)
    for command in (1, 2, 3, 1030):
        assert verdict_of("fcntl", 3, command, arch=arch) == seccomp.ALLOW
    for command in (0, 4, 6, 8, 1024, 1031, 1033):  # dup, set flags, lock, owner, lease, pipe size, seals
        assert verdict_of("fcntl", 3, command, arch=arch) == seccomp.fails(errno.EPERM)
    for operation in range(16):
        of_one_thread = operation in (0, 1, 9, 10)  # wait and wake, with a mask of bits or without
        assert verdict_of("futex", 0, operation, arch=arch) == seccomp.fails(errno.EPERM)  # by a place in a file
        for clock in (0, 256):
            expected = seccomp.ALLOW if of_one_thread else seccomp.fails(errno.EPERM)
            assert verdict_of("futex", 0, operation | 128 | clock, arch=arch) == expected, operation
        assert verdict_of("futex", 0, operation | 128 | 512, arch=arch) == seccomp.fails(errno.EPERM)
    for advice in range(30):
        own = advice in (0, 1, 2, 4, 8, 14, 15)  # how it will be read, not needed any more, in huge pages or not
        expected = seccomp.ALLOW if own else seccomp.fails(errno.EINVAL)
        assert verdict_of("madvise", 0, 4096, advice, arch=arch) == expected, advice
    assert verdict_of("ioctl", 0, 0x5412, arch=arch) == seccomp.fails(errno.ENOTTY)
    assert verdict_of("clone", 0x11, arch=arch) == seccomp.fails(errno.EAGAIN)
    assert verdict_of("clone3", arch=arch) == seccomp.fails(errno.ENOSYS)


GIB = 1 << 30
WINDOW = range(0x7F00, 0x7F07)  # upper halves of addresses
INSIDE, BELOW, ABOVE = 0x7F03 << 32, (0x7F00 << 32) - 4096, 0x7F07 << 32


def about_memory(name: str, *args: int, arch: str) -> int:
    number = syscalls.number(name, arch)
    assert number is not None
    return verdict(seccomp.program(arch, WINDOW), arch=syscalls.AUDIT[arch], number=number, args=args)


@pytest.mark.parametrize("arch", ARCHES)
def test_memory_is_never_shared_but_with_a_file_nor_of_huge_pages(arch: str) -> None:
    for flags in (0x02, 0x22, 0x01, 0x03, 0x2_0022, 0x0102):  # private; shared with a file, which cannot be written
        assert about_memory("mmap", 0, 4096, 3, flags, arch=arch) == seccomp.ALLOW, flags
    for flags in (0x21, 0x23, 0x8021, 0x4_0022, 0x4_0021, 0x4_0002, 0x1400_0000 | 0x4_0022):
        assert about_memory("mmap", 0, 4096, 3, flags, arch=arch) == seccomp.fails(errno.EPERM), flags


@pytest.mark.parametrize("arch", ARCHES)
def test_memory_is_mapped_and_changed_within_the_window_alone(arch: str) -> None:
    refused = seccomp.fails(errno.ENOMEM)
    for flags in (0x22, 0x32, 0x10_0022):  # a hint, fixed, fixed if it is free
        assert about_memory("mmap", INSIDE, 4096, 3, flags, arch=arch) == seccomp.ALLOW
        assert about_memory("mmap", 4096, 4096, 3, flags, arch=arch) == refused
    for name in ("mmap", "munmap", "mprotect", "mremap"):
        rest = (3, 0x22) if name == "mmap" else (4096, 1) if name == "mremap" else (3,)
        for address in (WINDOW.start << 32, INSIDE, ABOVE - 4096):
            assert about_memory(name, address, 8 * GIB - 1, *rest, arch=arch) == seccomp.ALLOW
            assert about_memory(name, address, 8 * GIB, *rest, arch=arch) == refused
        for address in (BELOW, ABOVE, 1 << 47, 1 << 56):
            assert about_memory(name, address, 4096, *rest, arch=arch) == refused
    for flags in (2, 3, 4, 5, 7):  # to a place of one's own choice; the old place is kept
        assert about_memory("mremap", INSIDE, 4096, 4096, flags, arch=arch) == seccomp.fails(errno.EPERM)
    assert about_memory("mremap", INSIDE, 4096, 8 * GIB, 1, arch=arch) == refused


@pytest.mark.parametrize(
    "name", ["socket", "connect", "sendto", "sendmsg", "kill", "tgkill", "execve", "pipe2", "memfd_create", "shmget"]
)
def test_calls_that_reach_out_are_in_no_table(name: str) -> None:
    with pytest.raises(KeyError):
        syscalls.number(name, "x86_64")


def test_an_unknown_architecture_has_no_filter() -> None:
    with pytest.raises(KeyError):
        seccomp.program("riscv64")


@pytest.mark.parametrize("arch", ARCHES)
def test_the_numbers_are_those_of_the_kernels_headers(arch: str) -> None:
    if not HEADERS[arch].exists():
        pytest.skip("the kernel's headers are not installed here")
    text = HEADERS[arch].read_text()
    theirs = dict(re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text))
    for table in (syscalls.ALLOWED, syscalls.CONDITIONAL, syscalls.DEADLY):
        for name in table:
            number = syscalls.number(name, arch)
            if number is None:
                assert name not in theirs or arch == "aarch64"
            elif name in theirs:
                assert int(theirs[name]) == number, name


@pytest.mark.parametrize("arch", ARCHES)
def test_the_numbers_are_those_of_libseccomp(arch: str) -> None:
    try:
        library = ctypes.CDLL("libseccomp.so.2")
    except OSError:
        pytest.skip("libseccomp is not installed here")
    resolve = library.seccomp_syscall_resolve_name_arch
    for table in (syscalls.ALLOWED, syscalls.CONDITIONAL, syscalls.DEADLY):
        for name in table:
            theirs = resolve(ctypes.c_uint32(syscalls.AUDIT[arch]), name.encode())
            ours = syscalls.number(name, arch)
            if theirs >= 0 or ours is None:  # an old library does not know the newest calls
                assert (theirs if theirs >= 0 else None) == ours, name
