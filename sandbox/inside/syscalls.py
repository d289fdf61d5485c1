"""System call numbers, which are stable kernel ABI, and what a bot may do with each call."""

from typing import Final

ARCHITECTURES: Final = ("x86_64", "aarch64")
AUDIT: Final = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

# The calls that an honest, single-threaded CPython with numpy needs. ``seccomp`` has the calls with conditions.
ALLOWED: Final[dict[str, tuple[int | None, int | None]]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "stat": (4, None),
    "fstat": (5, 80),
    "lstat": (6, None),
    "poll": (7, None),
    "lseek": (8, 62),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "pread64": (17, 67),
    "readv": (19, 65),
    "access": (21, None),
    "select": (23, None),
    "sched_yield": (24, 124),
    "dup": (32, 23),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "exit": (60, 93),
    "uname": (63, 160),
    "getcwd": (79, 17),
    "readlink": (89, None),
    "gettimeofday": (96, 169),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "getppid": (110, 173),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "sched_getaffinity": (204, 123),
    "getdents64": (217, 61),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "newfstatat": (262, 79),
    "readlinkat": (267, 78),
    "faccessat": (269, 48),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "rseq": (334, 293),
    "faccessat2": (439, 439),
}

# Allowed or refused depending on their arguments, or refused with an error that libraries understand.
CONDITIONAL: Final[dict[str, tuple[int | None, int | None]]] = {
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "ioctl": (16, 29),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "clone": (56, 220),
    "fcntl": (72, 25),
    "futex": (202, 98),
    "openat": (257, 56),
    "prlimit64": (302, 261),
    "clone3": (435, 435),
}

# Calls that no honest bot needs: the process dies at once, and the referee can name the reason.
DEADLY: Final[dict[str, tuple[int | None, int | None]]] = {
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "setuid": (105, 146),
    "setresuid": (117, 147),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "reboot": (169, 142),
    "iopl": (172, None),
    "ioperm": (173, None),
    "init_module": (175, 105),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "perf_event_open": (298, 241),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "seccomp": (317, 277),
    "bpf": (321, 280),
    "execveat": (322, 281),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "memfd_secret": (447, 447),
}


def number(name: str, architecture: str) -> int | None:
    """Return the number of the call on ``architecture``; None where it does not exist.

    Raises:
        KeyError: the call or the architecture is in none of the tables.
    """
    column = ARCHITECTURES.index(architecture) if architecture in ARCHITECTURES else None
    if column is None:
        raise KeyError(architecture)
    for table in (ALLOWED, CONDITIONAL, DEADLY):
        if name in table:
            return table[name][column]
    raise KeyError(name)
