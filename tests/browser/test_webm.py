"""A WebM file: its elements are whole, clusters begin with key frames, and cues name where the clusters lie."""

import pytest

from tests.browser.webm import CLUSTER, CUES, SEGMENT, Frame, webm

CUE_POINT = 0xBB


def elements(data: bytes) -> list[tuple[int, bytes, int]]:
    """The id, the content and the place of each element, as a reader of EBML finds them."""
    found, at = [], 0
    while at < len(data):
        wide = 9 - data[at].bit_length()
        size = int.from_bytes(data[at + wide + 1 : at + wide + 8], "big")
        assert data[at + wide] == 1
        found.append((int.from_bytes(data[at : at + wide], "big"), data[at + wide + 8 : at + wide + 8 + size], at))
        at += wide + 8 + size
    assert at == len(data)
    return found


def test_clusters_begin_with_key_frames_and_cues_point_to_them() -> None:
    frames = [Frame(0, True, b"a"), Frame(40, False, b"b"), Frame(9000, True, b"c"), Frame(9040, False, b"d")]
    (_, segment, _) = next(one for one in elements(webm(frames, 1280, 720)) if one[0] == SEGMENT)
    parts = elements(segment)
    clusters = [(content, at) for name, content, at in parts if name == CLUSTER]
    blocks = [[one[1] for one in elements(content)[1:]] for content, _at in clusters]
    assert blocks == [[b"\x81\0\0\x80a", b"\x81\0\x28\0b"], [b"\x81\0\0\x80c", b"\x81\0\x28\0d"]]
    (cues,) = [content for name, content, _at in parts if name == CUES]
    points = [elements(point) for name, point, _at in elements(cues) if name == CUE_POINT]
    where = [int.from_bytes(elements(point[1][1])[1][1], "big") for point in points]
    assert where == [at for _content, at in clusters]


@pytest.mark.parametrize(
    "frames", [[], [Frame(0, True, b"")], [Frame(0, False, b"")] * 2, [Frame(0, True, b""), Frame(40_000, False, b"")]]
)
def test_what_no_player_could_show_is_refused(frames: list[Frame]) -> None:
    with pytest.raises(ValueError, match="key frame"):
        webm(frames, 1280, 720)
