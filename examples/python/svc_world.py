"""A client of svc's world server: generated worlds from Python, with nothing but the standard library.

Copy this one file beside your program. It needs Python 3.9 or later and a server, which ``npm start`` runs in a clone::

    from svc_world import WorldClient

    with WorldClient("http://127.0.0.1:8791") as world:  # the server's first world, which its page shows
        world.upload_source("corridor.png")
        world.move("w")                      # one step forward
        world.move("wl")                     # forward and to the right, both keys held
        world.back()                         # the last move undone exactly, without generating
        picture = world.frame()              # .pixels are RGB bytes, .array() is a numpy array

Records are the dictionaries that the server sends, with its names (docs/world-session.md). Whatever the server refuses
raises a :class:`WorldError` with the server's own message. Pictures are read here; videos need numpy and PyAV
(``pip install numpy av``) or ``ffmpeg`` on the PATH.
"""

from __future__ import annotations

import collections
import http.client
import io
import itertools
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "MOTIONS",
    "Event",
    "Image",
    "Motion",
    "WorldClient",
    "WorldError",
    "camera_of_keys",
    "decode_video",
    "inverse_camera",
    "key_combinations",
]

Record = dict[str, Any]
Triple = tuple[float, float, float]


class Motion(NamedTuple):
    """What a key does: one row of the server's table of camera moves."""

    #: What requests call it.
    motion: str
    #: Right, down and forward, in units of the distance of a move.
    translation: Triple
    #: About the same axes, in units of the angle of a move.
    rotation: Triple
    #: The key that undoes it; None for standing still.
    opposite: str | None
    label: str


#: The keys. tests/examples/python_moves_test.ts holds them to lib/world/protocol/motion_table.ts.
MOTIONS: dict[str, Motion] = {
    " ": Motion("hold", (0, 0, 0), (0, 0, 0), None, "Hold still"),
    "w": Motion("forward", (0, 0, 1), (0, 0, 0), "s", "Forward"),
    "s": Motion("backward", (0, 0, -1), (0, 0, 0), "w", "Backward"),
    "a": Motion("strafeLeft", (-1, 0, 0), (0, 0, 0), "d", "Left"),
    "d": Motion("strafeRight", (1, 0, 0), (0, 0, 0), "a", "Right"),
    "i": Motion("custom", (0, 0, 0), (1, 0, 0), "k", "Look up"),
    "k": Motion("custom", (0, 0, 0), (-1, 0, 0), "i", "Look down"),
    "j": Motion("yawLeft", (0, 0, 0), (0, -1, 0), "l", "Turn left"),
    "l": Motion("yawRight", (0, 0, 0), (0, 1, 0), "j", "Turn right"),
}


def key_combinations(most: int = 2) -> list[str]:
    """Standing still, every key, and every set of at most ``most`` keys that do not cancel each other.

    >>> key_combinations(1)
    [' ', 'w', 's', 'a', 'd', 'i', 'k', 'j', 'l']
    >>> len(key_combinations())
    33
    """
    keys = [key for key in MOTIONS if key != " "]
    sets = itertools.chain.from_iterable(itertools.combinations(keys, count) for count in range(1, most + 1))
    return [" ", *("".join(held) for held in sets if not any(MOTIONS[key].opposite in held for key in held))]


def camera_of_keys(keys: str, meters: float = 1, degrees: float = 15) -> Record:
    """The camera move of keys that are held together, such as ``w`` or ``wl``; a space or a dot stands still.

    :param meters: Distance of a step. An arworld moves at a pace of its own, whatever the numbers say.
    :param degrees: Angle of a turn.
    """
    held = [key for key in keys.lower() if key not in " ."]
    for key in held:
        if key not in MOTIONS:
            expected = " ".join(key for key in MOTIONS if key != " ")
            raise ValueError(f"Cannot move by the key {key!r}: expected one of {expected}, or a space to stand still")
    rows = [MOTIONS[key] for key in held]
    return {
        "motion": "hold" if not rows else rows[0].motion if len(rows) == 1 else "custom",
        "translation_meters": [sum(row.translation[axis] for row in rows) * meters + 0 for axis in range(3)],
        "rotation_degrees": [sum(row.rotation[axis] for row in rows) * degrees + 0 for axis in range(3)],
    }


def inverse_camera(camera: Record) -> Record | None:
    """The exact inverse of a camera move, which the server replays instead of generating; None for standing still."""
    opposites = {row.motion: MOTIONS[row.opposite].motion for row in MOTIONS.values() if row.opposite is not None}
    opposite = "custom" if camera["motion"] == "custom" else opposites.get(camera["motion"])
    if opposite is None:
        return None
    negated = {name: [0 - n for n in camera[name]] for name in ("translation_meters", "rotation_degrees")}
    return {"motion": opposite, **negated}


class WorldError(Exception):
    """A request that a server refused, or that never reached one.

    ``str(error)`` says what was wrong and how to continue; programs look at ``code``, such as ``session_busy``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        type: str | None = None,
        param: str | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        #: Stable reason: the server's (docs/errors.md), or ``unreachable``, ``timeout``, ``unexpected_response``,
        #: ``job_cancelled``.
        self.code = code
        #: HTTP status; 0 where there was no answer.
        self.status = status
        #: Class of the error, such as ``invalid_request_error``.
        self.type = type
        #: Path of the invalid field of the request.
        self.param = param
        #: Id of the request in the server's log.
        self.request_id = request_id

    def __reduce__(self) -> Any:  # worlds may run in processes of their own
        return (_world_error, (str(self), dict(self.__dict__)))


def _world_error(message: str, fields: Record) -> WorldError:
    return WorldError(message, **fields)


class Event(NamedTuple):
    """Something that happened in a world."""

    #: Resumes after this event: ``events(last_event_id=event.id)``.
    id: str
    #: ``snapshot``, ``job`` or ``chunk``.
    event: str
    #: The record of the session, the job or the chunk.
    data: Record


class Image(NamedTuple):
    """A picture of 8-bit RGB."""

    width: int
    height: int
    #: Row by row from the top, three bytes a pixel.
    pixels: bytes

    def array(self) -> np.ndarray[Any, Any]:
        """A new array ``[height, width, 3]`` of ``uint8``. Needs numpy."""
        import numpy as np

        return np.array(np.frombuffer(self.pixels, np.uint8)).reshape(self.height, self.width, 3)

    def png(self) -> bytes:
        """The picture as a PNG file."""
        stride = 3 * self.width
        rows = b"".join(b"\0" + self.pixels[y * stride : (y + 1) * stride] for y in range(self.height))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
        packed = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                  for kind, data in parts)  # fmt: skip
        return _PNG + b"".join(packed)

    @classmethod
    def from_array(cls, array: np.ndarray[Any, Any]) -> Image:
        """A picture of an array ``[height, width, 3]`` of ``uint8``."""
        if array.ndim != 3 or array.shape[2] != 3 or str(array.dtype) != "uint8":
            found = f"{array.dtype} of shape {list(array.shape)}"
            raise ValueError(f"Cannot read the array as a picture: it is {found}, expected uint8 [height, width, 3]")
        return cls(array.shape[1], array.shape[0], array.tobytes())

    @classmethod
    def from_png(cls, data: bytes) -> Image:
        """Reads a PNG file of 8-bit RGB pixels, as the server writes them."""
        if data[:8] != _PNG:
            raise ValueError("Cannot read the picture: it is not a PNG file, expected one of a world server")
        packed, at, header = b"", 8, (0, 0, 0, 0, 0, 0, 0)
        while at + 8 <= len(data):
            size, kind = struct.unpack(">I4s", data[at : at + 8])
            if kind == b"IHDR":
                header = struct.unpack(">IIBBBBB", data[at + 8 : at + 21])
            elif kind == b"IDAT":
                packed += data[at + 8 : at + 8 + size]
            at += 12 + size
        width, height, depth, colour, _, _, interlaced = header
        if (depth, colour, interlaced) != (8, 2, 0):
            raise ValueError("Cannot read the PNG file: expected 8-bit RGB pixels, not interlaced")
        pixels = _unfilter(zlib.decompress(packed), 3 * width, height)
        return cls(width, height, pixels)


_PNG = b"\x89PNG\r\n\x1a\n"


def _unfilter(raw: bytes, stride: int, height: int) -> bytes:
    """The pixels of a PNG file (its specification, section 9)."""
    if len(raw) != (stride + 1) * height:
        raise ValueError("Cannot read the PNG file: it is incomplete, expected all of its rows")
    rows, above = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = raw[start], raw[start + 1 : start + 1 + stride]
        if kind == 2:  # what this server writes
            row = _add(row, above)
        elif kind != 0:
            out = bytearray(row)
            for x in range(stride):
                a = out[x - 3] if x >= 3 else 0
                b, c = above[x], above[x - 3] if x >= 3 else 0
                to_a, to_b, to_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                paeth = a if to_a <= to_b and to_a <= to_c else b if to_b <= to_c else c
                out[x] = (row[x] + (a if kind == 1 else (a + b) // 2 if kind == 3 else paeth)) & 255
            row = bytes(out)
        rows.append(row)
        above = row
    return b"".join(rows)


def _add(one: bytes, other: bytes) -> bytes:
    """Adds bytes modulo 256, a whole row at once."""
    size = len(one)
    low = int.from_bytes(b"\x7f" * size, "big")
    a, b = int.from_bytes(one, "big"), int.from_bytes(other, "big")
    return (((a & low) + (b & low)) ^ ((a ^ b) & ~low)).to_bytes(size, "big")


def decode_video(mp4: bytes) -> np.ndarray[Any, Any]:
    """The frames of a video as an array ``[frames, height, width, 3]`` of ``uint8``.

    Needs numpy and either PyAV (``pip install av``) or ``ffmpeg`` on the PATH. H.264 is lossy: the last frame of a move
    differs a little from :meth:`WorldClient.frame`, which has the exact pixels.
    """
    import numpy as np

    try:
        import av
    except ImportError:
        return np.stack([image.array() for image in _frames_of_ffmpeg(mp4)])
    with av.open(io.BytesIO(mp4)) as container:
        return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])


def _frames_of_ffmpeg(mp4: bytes) -> Iterator[Image]:
    program = shutil.which("ffmpeg")
    if program is None:
        raise RuntimeError(
            "Cannot decode the video: there is neither PyAV nor ffmpeg; run pip install av, or put ffmpeg on the PATH"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        path.write_bytes(mp4)
        to_ppm = ["-f", "image2pipe", "-c:v", "ppm", "-fps_mode", "passthrough", "-"]
        done = subprocess.run([program, "-v", "error", "-i", str(path), *to_ppm], capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"Cannot decode the video: ffmpeg says {done.stderr.decode(errors='replace').strip()!r}")
    rest = done.stdout
    while rest:
        _, size, _, rest = rest.split(b"\n", 3)  # P6, width and height, 255
        width, height = map(int, size.split())
        yield Image(width, height, rest[: 3 * width * height])
        rest = rest[3 * width * height :]


class WorldClient:
    """A client of one world of a world server.

    It may be shared by threads; connections stay open. Requests that change something carry an ``Idempotency-Key``, so
    that one whose connection broke is sent again and still has its effect once.

    :param url: Address of the server, or of one of its worlds (``http://host:8791/worlds/<id>``); by default that of
        the environment's ``SVC_URL``, with its ``SVC_API_KEY``, else ``http://127.0.0.1:8791``.
    :param api_key: For a server that was started with one.
    :param timeout: Seconds that one answer may take. Moves are waited for separately, see :meth:`wait`.
    :param retries: How often a request is sent again when the connection fails.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: float = 60,
        retries: int = 2,
    ) -> None:
        if url is None:
            url = os.environ.get("SVC_URL") or "http://127.0.0.1:8791"
            api_key = api_key or os.environ.get("SVC_API_KEY") or None
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"Cannot use the address {url!r}: expected one such as http://127.0.0.1:8791")
        #: Address without a slash at its end.
        self.url = url.rstrip("/")
        self.api_key = api_key
        self.timeout = timeout
        self.retries = retries
        self._parts = parts
        self._idle: collections.deque[http.client.HTTPConnection] = collections.deque()
        self._prompt: str | None = None

    def __enter__(self) -> WorldClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"WorldClient({self.url!r})"

    def close(self) -> None:
        """Closes idle connections. Worlds and jobs are not affected, and the client can still be used."""
        while self._idle:
            self._idle.pop().close()

    # The worlds of a server

    def health(self) -> Record:
        """Whether the server is up, its backend and phase; never needs the key, never waits for the model."""
        return self._json("GET", "/health")

    def worlds(self) -> list[Record]:
        """The worlds of the server."""
        worlds: list[Record] = self._json("GET", "/v1/worlds")["data"]
        return worlds

    def create_world(self, name: str | None = None) -> Record:
        """Opens another world; :meth:`world` makes a client of its ``world_id``. A server has at most 8 by default."""
        return self._json("POST", "/v1/worlds", {} if name is None else {"name": name})

    def delete_world(self, world_id: str) -> Record:
        """Cancels, closes and removes a world."""
        return self._json("DELETE", f"/v1/worlds/{_quoted(world_id)}")

    def world(self, world_id: str) -> WorldClient:
        """A client of another world of the same server; ``default`` is the first one, which always exists."""
        base = self.url.split("/worlds/")[0]
        url = base if world_id == "default" else f"{base}/worlds/{_quoted(world_id)}"
        return WorldClient(url, api_key=self.api_key, timeout=self.timeout, retries=self.retries)

    # Where a world starts

    def start(self) -> Record:
        """The picture that comes with the model: its ``prompt`` and ``image_media_path``."""
        return self._json("GET", "/v1/world/start")

    def start_image(self) -> bytes:
        """The picture that comes with the model, as a PNG file for :meth:`upload_source`."""
        return self.media("/v1/world/start/image")

    def start_picture(self, prompt: str, seed: int | str = 42) -> bytes:
        """Draws a picture of a described place with the server's image model; equal seeds give equal pictures."""
        return self._request("POST", "/v1/world/start/picture", {"prompt": prompt, "seed": seed})

    def upload_source(self, picture: bytes | str | Path | Image | np.ndarray[Any, Any]) -> Record:
        """Starts the world from a picture, and deletes its checkpoints and its walk.

        :param picture: Bytes of a file (PNG, JPEG, WebP, GIF, AVIF, BMP or TIFF), the path of one, or pixels.
        """
        if isinstance(picture, (str, Path)):
            data = Path(picture).read_bytes()
        elif isinstance(picture, bytes):
            data = picture
        else:
            data = (picture if isinstance(picture, Image) else Image.from_array(picture)).png()
        return self._json("POST", "/v1/world/session/source", data)

    # The session

    def session(self) -> Record:
        """The state of the session; never waits for the model."""
        return self._json("GET", "/v1/world/session")

    def prepare(self, timeout: float = 1800) -> Record:
        """Loads and warms up the model; returns when that is done."""
        return self._json("POST", "/v1/world/session/prepare", timeout=timeout)

    def reset(self, source_image: str | None = None) -> Record:
        """Discards the walk. Without a picture, a file on the server's machine, the next move needs an upload."""
        body = None if source_image is None else {"source_image": source_image}
        return self._json("POST", "/v1/world/session/reset", body)

    def unload(self) -> Record:
        """Releases the model and the walk."""
        return self._json("POST", "/v1/world/session/unload")

    def walk(self) -> Record:
        """Every state with its pose and the request of its move; ``frame`` has the default size and rate of a move."""
        return self._json("GET", "/v1/world/session/walk")

    def walk_video(self) -> bytes:
        """The video of the path: an MP4 file without moves that were undone."""
        return self.media("/v1/world/session/walk/media/output")

    def frame(self) -> Image:
        """What the camera sees now, with its exact pixels."""
        return Image.from_png(self.media("/v1/world/session/media/frame"))

    # Moves

    def start_transition(self, prompt: str | None = None, *, camera: Record, **fields: Any) -> Record:
        """Starts a camera move; returns its job at once.

        :param prompt: Describes the scene; by default the prompt that comes with the model.
        :param camera: See :func:`camera_of_keys`.
        :param fields: ``num_frames``, ``width``, ``height``, ``fps``, ``seed``, ... as in the API description.
        """
        body = {"prompt": self._prompt_or(prompt), "camera": camera, **fields}
        return self._json("POST", "/v1/world/session/transitions", body)

    def start_rollout(self, action_seq: Sequence[str], prompt: str | None = None, **fields: Any) -> Record:
        """Starts a walk along keys, one action a block of 12 frames; returns its job at once. arworld only.

        :param action_seq: Keys that are held, such as ``["w", "wl", "."]``; a space or a dot stands still.
        :param fields: Those of the API description. By default changes of keys are put on the borders of blocks.
        """
        count = len(action_seq)
        blocks: Record = {"action_speed_list": [9, *[12] * (count - 1)], "num_output_frames": 3 * count}
        planned = {} if "num_output_frames" in fields or "action_speed_list" in fields else blocks
        keys = [held.replace(".", " ") for held in action_seq]
        body = {"prompt": self._prompt_or(prompt), "action_seq": keys, **planned, **fields}
        return self._json("POST", "/v1/world/session/rollouts", body)

    def move(
        self,
        keys: str,
        prompt: str | None = None,
        *,
        meters: float = 1,
        degrees: float = 15,
        timeout: float | None = None,
        **fields: Any,
    ) -> Record:
        """Makes the move of keys that are held together, waits for it and returns its receipt.

        The exact inverse of the last move is replayed: ``replayed`` in the receipt.

        :param keys: Such as ``w``, or ``wl`` for both at once; a space stands still.
        :param timeout: Seconds after which the move is cancelled, with a :class:`WorldError` of code ``timeout``.
        """
        return self.move_camera(camera_of_keys(keys, meters, degrees), prompt, timeout=timeout, **fields)

    def move_camera(
        self, camera: Record, prompt: str | None = None, *, timeout: float | None = None, **fields: Any
    ) -> Record:
        """Makes a camera move of any numbers, waits for it and returns its receipt."""
        return self._finished(self.start_transition(prompt, camera=camera, **fields), timeout)

    def rollout(
        self, action_seq: Sequence[str], prompt: str | None = None, *, timeout: float | None = None, **fields: Any
    ) -> Record:
        """Walks along keys as :meth:`start_rollout` does, waits and returns the receipt."""
        return self._finished(self.start_rollout(action_seq, prompt, **fields), timeout)

    def back(self, timeout: float | None = None) -> Record:
        """Undoes the last camera move exactly, without generating while the server retains it; returns the receipt."""
        walk = self.walk()
        here: Record = next(
            (state for state in walk["states"] if state["state_id"] == walk.get("current_state_id")), {}
        )
        request = here.get("move", {}).get("request", {})
        inverse = inverse_camera(request["camera"]) if "camera" in request else None
        if inverse is None:
            message = "the last move is not a camera move that has an inverse, create a checkpoint before such a move"
            raise WorldError(f"Cannot walk back: {message}", code="nothing_to_undo")
        fields = {name: request[name] for name in ("num_frames", "width", "height", "fps") if name in request}
        return self.move_camera(inverse, request["prompt"], timeout=timeout, **fields)

    # Jobs

    def job(self, job_id: str) -> Record:
        """The current record of a job."""
        return self._json("GET", _job(job_id))

    def cancel(self, job_id: str) -> Record:
        """Cancels a job, which is rolled back; one that has ended is returned unchanged."""
        return self._json("DELETE", _job(job_id))

    def wait(
        self,
        job_id: str,
        timeout: float | None = None,
        on_progress: Callable[[Record], object] | None = None,
    ) -> Record:
        """Follows a job to its end and returns its record.

        :param timeout: Seconds; the job continues when they are over, :meth:`cancel` ends it.
        :param on_progress: Called with the record whenever it has changed.
        :raises WorldError: The job's own error when it failed, ``job_cancelled``, or ``timeout``.
        """
        last: Record = {}
        for last in self._follow(job_id, timeout, closely=on_progress is not None):
            if on_progress is not None:
                on_progress(last)
        return _completed(last)

    def chunks(self, job_id: str, timeout: float | None = None) -> Iterator[tuple[Record, bytes]]:
        """Yields the record and the MP4 file of every chunk of a job, as soon as it is made."""
        last: Record = {}
        fetched = 0
        for last in self._follow(job_id, timeout):
            for chunk in last["chunks"][fetched:]:
                yield chunk, self.media(chunk["media_path"])
                fetched += 1
        _completed(last)

    def output(self, job_id: str) -> bytes:
        """The whole video of a completed job: an MP4 file."""
        return self.media(f"{_job(job_id)}/media/output")

    def frames(self, job_id: str) -> np.ndarray[Any, Any]:
        """The frames of a completed job as an array, see :func:`decode_video`; the first is where the move began."""
        return decode_video(self.output(job_id))

    def terminal_frame(self, job_id: str) -> Image:
        """The last frame of a completed job, with its exact pixels."""
        return Image.from_png(self.media(f"{_job(job_id)}/media/terminal-frame"))

    def media(self, path: str) -> bytes:
        """A file by the ``media_path`` of a record."""
        return self._request("GET", path)

    # Checkpoints, of an arworld

    def checkpoints(self) -> list[Record]:
        """The checkpoints, oldest first."""
        checkpoints: list[Record] = self._json("GET", _CHECKPOINTS)  # type: ignore[assignment]
        return checkpoints

    def create_checkpoint(self, name: str) -> Record:
        """Saves the current state under a name."""
        return self._json("POST", _CHECKPOINTS, {"name": name})

    def restore_checkpoint(self, checkpoint_id: str) -> Record:
        """Returns to a checkpoint, which is kept; later moves are bit for bit what they would have been then."""
        return self._json("POST", f"{_CHECKPOINTS}/{_quoted(checkpoint_id)}/restore")

    def delete_checkpoint(self, checkpoint_id: str) -> Record:
        """Deletes a checkpoint and returns its record."""
        return self._json("DELETE", f"{_CHECKPOINTS}/{_quoted(checkpoint_id)}")

    def checkpoint_frame(self, checkpoint_id: str) -> Image:
        """The picture of a checkpoint."""
        return Image.from_png(self.media(f"{_CHECKPOINTS}/{_quoted(checkpoint_id)}/media/frame"))

    # Events

    def events(self, last_event_id: str | None = None) -> Iterator[Event]:
        """Yields what happens in the world, beginning with a snapshot, until the caller stops.

        A connection that breaks is opened again, and continues after the last event.

        :raises WorldError: When the first attempt fails, and whenever the server refuses.
        """
        attempts, opened = 0, False
        while True:
            headers = {} if last_event_id is None else {"last-event-id": last_event_id}
            connection = self._connect(45)  # the server sends a sign of life every 15 seconds
            try:
                self._send(connection, "GET", "/v1/world/events", None, {"accept": "text/event-stream", **headers})
                response = connection.getresponse()
                if response.status != 200:
                    raise _refusal(response, response.read(), "read the events")
                opened = True
                for event in _server_sent_events(response):
                    attempts, last_event_id = 0, event.id
                    yield event
            except (OSError, http.client.HTTPException) as cause:
                if not opened:
                    raise self._unreachable(cause) from cause
            except WorldError as error:
                if not opened or error.status < 500:
                    raise
            finally:
                connection.close()
            time.sleep(min(5.0, 0.25 * 2**attempts))
            attempts += 1

    # Requests

    def _prompt_or(self, prompt: str | None) -> str:
        if prompt is not None:
            return prompt
        if self._prompt is None:
            self._prompt = str(self.start()["prompt"])
        return self._prompt

    def _finished(self, job: Record, timeout: float | None) -> Record:
        try:
            done = self.wait(job["job_id"], timeout)
        except BaseException as error:  # a Ctrl+C, too, leaves no move behind
            if not isinstance(error, WorldError):
                self.cancel(job["job_id"])
            elif error.code == "timeout":
                self.cancel(job["job_id"])
                # The world takes the next move once this one has ended.
                list(self._follow(job["job_id"], None, closely=False))
            raise
        receipt: Record = done.get("receipt") or done["rollout_receipt"]
        return receipt

    def _follow(self, job_id: str, timeout: float | None, *, closely: bool = True) -> Iterator[Record]:
        """Yields the record of a job whenever it has changed, at least its last one.

        Polls thin out, by a tenth of the time that has passed; ``closely``, that is the time since the last change.
        """
        started, pause, seen = time.monotonic(), 0.005, b""
        while True:
            text = self._request("GET", _job(job_id))
            job: Record = json.loads(text)
            if text != seen:
                seen, pause = text, 0.005 if closely else pause
                yield job
            if job["status"] in ("completed", "cancelled", "failed"):
                return
            if timeout is not None and time.monotonic() - started >= timeout:
                message = f"Cannot finish the {job['kind']}: it took longer than {timeout:g} seconds, allow more"
                raise WorldError(message, code="timeout")
            time.sleep(pause)
            pause = min(0.25, pause * 1.2)

    def _json(self, method: str, path: str, body: Any = None, timeout: float | None = None) -> Record:
        data = self._request(method, path, body, timeout)
        try:
            record: Record = json.loads(data)
            return record
        except ValueError as cause:
            message = f"Cannot read the answer to {method} {path}: it is not JSON, expected a world server"
            raise WorldError(message, code="unexpected_response") from cause

    def _request(self, method: str, path: str, body: Any = None, timeout: float | None = None) -> bytes:
        headers = {} if method == "GET" else {"idempotency-key": uuid.uuid4().hex}
        limit = timeout or self.timeout
        for attempt in range(self.retries + 1):
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = self._connect(limit)
            try:
                if connection.sock is not None:
                    connection.sock.settimeout(limit)
                self._send(connection, method, path, body, headers)
                response = connection.getresponse()
                data = response.read()
                break
            except BaseException as cause:
                connection.close()  # it may be in the middle of an answer
                if isinstance(cause, socket.timeout):
                    message = f"Cannot finish {method} {path}: no answer within {limit:g} seconds, allow more time"
                    raise WorldError(message, code="timeout") from cause
                if not isinstance(cause, (OSError, http.client.HTTPException)):
                    raise
                self.close()  # the others are as old
                if attempt == self.retries:
                    raise self._unreachable(cause) from cause
                time.sleep(0.1 * 2**attempt)
        self._idle.append(connection)
        if not 200 <= response.status < 300:
            raise _refusal(response, data, f"{method} {path}")
        return data

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        return kind(self._parts.hostname or "", self._parts.port, timeout=timeout)

    def _send(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Any, headers: dict[str, str]
    ) -> None:
        sent = dict(headers)
        if self.api_key is not None:
            sent["authorization"] = f"Bearer {self.api_key}"
        if body is not None:
            sent["content-type"] = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body)
        connection.request(method, self._parts.path.rstrip("/") + path, data, sent)

    def _unreachable(self, cause: BaseException) -> WorldError:
        message = f"Cannot reach a world server at {self.url}: {cause}; check the address, or start one with npm start"
        return WorldError(message, code="unreachable")


_CHECKPOINTS = "/v1/world/session/checkpoints"


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _job(job_id: str) -> str:
    return f"/v1/world/jobs/{_quoted(job_id)}"


def _completed(job: Record) -> Record:
    if job["status"] == "completed":
        return job
    if job["status"] == "cancelled":
        message = f"Cannot finish the {job['kind']}: the job was cancelled, start another one"
        raise WorldError(message, code="job_cancelled", status=200)
    error = job["error"]
    raise WorldError(error["message"], code=error["code"], status=200, type=error["type"], param=error.get("param"))


def _refusal(response: http.client.HTTPResponse, body: bytes, what: str) -> WorldError:
    status, request_id = response.status, response.getheader("x-request-id")
    try:
        error = json.loads(body)["error"]
        details = {"type": error.get("type"), "param": error.get("param"), "request_id": request_id}
        return WorldError(error["message"], code=error["code"], status=status, **details)
    except (ValueError, KeyError, TypeError):
        message = f"Cannot {what}: the answer was {status} without an error object, expected a world server"
        return WorldError(message, code="unexpected_response", status=status, request_id=request_id)


def _server_sent_events(response: http.client.HTTPResponse) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in response:
        name, _, value = line.decode().rstrip("\r\n").partition(": ")
        if name in ("id", "event", "data"):
            fields[name] = value
        elif name == "" and "data" in fields:
            yield Event(fields["id"], fields["event"], json.loads(fields["data"]))
            fields = {}


def main(args: list[str]) -> None:
    """Walks by keys in a world of its own and saves the video: ``python svc_world.py w w wl [-o walk.mp4]``."""
    keys, output = (args[:-2], args[-1]) if "-o" in args[-2:-1] else (args, "walk.mp4")
    with WorldClient() as client:
        world_id = client.create_world("svc_world.py")["world_id"]
        try:
            with client.world(world_id) as world:
                world.upload_source(world.start_image())
                for held in keys:
                    receipt = world.move(held)
                    how = "replayed" if receipt["replayed"] else "generated"
                    size = f"{receipt['width']}x{receipt['height']}"
                    print(f"{held}: {receipt['pixel_frame_count']} frames of {size}, {how}")
                Path(output).write_bytes(world.walk_video())
                print(f"Saved {output}")
        finally:
            client.delete_world(world_id)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (WorldError, ValueError) as error:
        sys.exit(str(error))
