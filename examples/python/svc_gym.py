"""Generated worlds as environments of Gymnasium: walk by a server's keys, see what the world model shows.

Needs ``pip install gymnasium numpy`` (gymnasium 1.1 or later), ``svc_world.py`` beside this file and a server, which
``npm start`` runs in a clone::

    import gymnasium
    import svc_gym  # registers the id

    env = gymnasium.make("svc/World-v0", max_steps=50)
    observation, info = env.reset(seed=7)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    env.close()

Every environment opens a world of its own on the server and deletes it when it is closed. A world is a place, not a
task: the reward is 0 and nothing terminates until you say what counts, by ``reward`` and ``terminated``.
"""

from __future__ import annotations

import argparse
import sys
import time
import weakref
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, NamedTuple, Union

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from svc_world import Image, Record, WorldClient, WorldError, camera_of_keys, decode_video, key_combinations

__all__ = ["Saved", "Transition", "WorldEnv", "WorldVectorEnv", "delete_left_worlds"]

Pixels = NDArray[np.uint8]
#: A file's bytes, its path, or pixels ``[height, width, 3]``.
Picture = Union[bytes, str, Path, Pixels]


class Transition(NamedTuple):
    """One step, as ``reward`` and ``terminated`` are given it."""

    previous: Pixels
    action: int
    observation: Pixels
    info: dict[str, Any]


@dataclass(frozen=True)
class Saved:
    """A moment of an episode, made by :meth:`WorldEnv.save`."""

    #: On the server of this world, until the next reset; None on an actionworld, which has none.
    checkpoint_id: str | None
    picture: bytes
    prompt: str
    seed: int
    actions: tuple[int, ...]
    observation: Pixels
    frame: Pixels
    info: dict[str, Any]


class WorldEnv(gymnasium.Env[Pixels, np.int64]):
    """One world of a world server.

    **Actions.** ``Discrete``: standing still, the eight keys, and the pairs of keys that can be held together, in the
    order of ``env.unwrapped.actions`` (33 strings such as ``"w"`` and ``"wl"``).

    **Observations.** The last frame of the step, ``uint8 [height, width, 3]``, exactly as the model made it; with
    ``clip_frames`` the last so many frames of its video, ``[clip_frames, height, width, 3]``.

    **Reproducibility.** ``reset(seed=...)`` determines the episode's picture and the seed of its moves, and so every
    pixel of an episode with the same actions, on the same model, device and version of svc. The exact inverse of the
    last move is replayed: ``w`` and then ``s`` lead back to the very state.

    :param url: Address of the server, by default as for :class:`svc_world.WorldClient`.
    :param api_key: For a server that was started with one.
    :param world_id: An existing world to use and leave open, ``"default"`` for the first one; a new one by default.
    :param picture: What episodes start from, or several, of which each episode's seed picks one; by default the picture
        that comes with the model. ``reset(options={"picture": ...})`` starts one episode elsewhere.
    :param prompt: Describes the scene; by default the prompt that comes with the model.
    :param actions: Sets of keys, one an action.
    :param size: Width and height of the frames, multiples of 32 (of 16 on an actionworld); the model's own by default.
    :param move_frames: Frames of a step, of which the model makes as few whole blocks as have them: with 9 an arworld
        makes one block, 12 new frames; an actionworld takes 4n + 1, at least 5.
    :param clip_frames: Observe so many frames of a step instead of its last one. Needs PyAV or ffmpeg; a step that has
        fewer begins with copies of its first.
    :param meters: Distance of a step; an arworld moves at a pace of its own.
    :param degrees: Angle of a turn; likewise.
    :param max_steps: Steps after which an episode is truncated; never by default.
    :param reward: The reward of a step; 0 by default.
    :param terminated: Whether an episode ends with a step; never by default.
    :param timeout: Seconds that a step may take before its move is cancelled.
    :param render_mode: ``rgb_array`` for :meth:`render` to return the current frame.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        world_id: str | None = None,
        picture: Picture | Sequence[Picture] | None = None,
        prompt: str | None = None,
        actions: Sequence[str] | None = None,
        size: tuple[int, int] | None = None,
        move_frames: int = 9,
        clip_frames: int | None = None,
        meters: float = 1,
        degrees: float = 15,
        max_steps: int | None = None,
        reward: Callable[[Transition], float] | None = None,
        terminated: Callable[[Transition], bool] | None = None,
        timeout: float = 600,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"Cannot render as {render_mode!r}: expected rgb_array or None")
        if clip_frames is not None and clip_frames < 1:
            raise ValueError(f"Cannot observe {clip_frames} frames: expected at least 1, or None for the last one")
        #: The keys of every action.
        self.actions: tuple[str, ...] = tuple(key_combinations() if actions is None else actions)
        self._cameras = [camera_of_keys(keys, meters, degrees) for keys in self.actions]
        self._pictures = [picture] if isinstance(picture, (bytes, str, Path, np.ndarray)) else list(picture or [])
        self._prompt = prompt
        self._clip_frames = clip_frames
        self._max_steps = max_steps
        self._reward = reward
        self._terminated = terminated
        self._timeout = timeout
        self.render_mode = render_mode

        server = WorldClient(url, api_key=api_key)
        self._delete: Callable[[], object] = server.close
        if world_id is None:
            world_id = _open_world(server)
            self._delete = weakref.finalize(self, _delete_world, server, world_id)
        #: The client of this environment's world, for whatever this class does not do.
        self.world = server.world(world_id)
        try:
            self.world.prepare()
            frame = self.world.walk()["frame"]
            #: ``arworld`` or ``actionworld``.
            self.backend: str = self.world.health()["backend"]
        except BaseException:
            self.close()
            raise
        self._size = size or (frame["width"], frame["height"])
        self._fields = {"num_frames": move_frames, "width": self._size[0], "height": self._size[1]}
        one = (self._size[1], self._size[0], 3)
        self.observation_space = spaces.Box(0, 255, one if clip_frames is None else (clip_frames, *one), np.uint8)
        self.action_space = spaces.Discrete(len(self.actions))
        #: The receipt of the last step: ids, paths of its video and its last frame.
        self.receipt: Record | None = None
        #: The last observation.
        self.observation: Pixels = np.zeros(self.observation_space.shape or (), np.uint8)
        self._start: tuple[bytes, str, int] | None = None
        self._made: list[int] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Pixels, dict[str, Any]]:
        """Starts an episode.

        :param options: Where it starts, one of ``picture``; ``place``, a description that the server's image model
            draws, with the episode's seed; and ``saved``, a moment of :meth:`save`. And ``prompt`` of its moves.
        """
        super().reset(seed=seed)
        options = options or {}
        unknown = set(options) - {"picture", "place", "prompt", "saved"}
        if unknown:
            raise ValueError(f"Cannot reset with {sorted(unknown)}: the options are picture, place, prompt and saved")
        if "saved" in options:
            return self.restore(options["saved"])
        episode_seed = int(self.np_random.integers(2**31))
        if "place" in options:
            picture: Picture = self.world.start_picture(options["place"], episode_seed)
        elif "picture" in options:
            picture = options["picture"]
        elif self._pictures:
            picture = self._pictures[int(self.np_random.integers(len(self._pictures)))]
        else:
            picture = self.world.start_image()
        prompt = options.get("prompt") or options.get("place") or self._prompt or self.world.start()["prompt"]
        return self._begin(_bytes_of(picture), prompt, episode_seed)

    def step(self, action: np.int64 | int) -> tuple[Pixels, float, bool, bool, dict[str, Any]]:
        """Makes one move and waits for it.

        ``info`` has the ``keys``, whether the move was ``replayed``, the ``seed`` of the episode, the number of the
        ``step`` and, on an arworld, ``world_to_camera``, the pose of the camera as a 4x4 matrix.

        :raises WorldError: When the server refuses or the move fails; the world is then as it was before.
        """
        if self._start is None:
            raise RuntimeError("Cannot step: the episode has not begun, call reset() first")
        previous = self.observation
        observation, info = self._move(int(action))
        step = Transition(previous, int(action), observation, info)
        reward = 0.0 if self._reward is None else float(self._reward(step))
        terminated = False if self._terminated is None else bool(self._terminated(step))
        truncated = self._max_steps is not None and len(self._made) >= self._max_steps
        return observation.copy(), reward, terminated, truncated, info

    def render(self) -> Pixels | None:
        """The current frame ``[height, width, 3]``."""
        if self.render_mode is None:
            gymnasium.logger.warn('Cannot render: render_mode is None, expected make(..., render_mode="rgb_array")')
            return None
        if self._start is None:
            raise RuntimeError("Cannot render: the episode has not begun, call reset() first")
        frame: Pixels = self._frame.copy()
        return frame

    def save(self) -> Saved:
        """Keeps this moment of the episode; :meth:`restore` returns to it, as often as wanted.

        An arworld makes a checkpoint, of which a server keeps 32 by default: :meth:`discard` those that are not needed.
        """
        if self._start is None:
            raise RuntimeError("Cannot save: the episode has not begun, call reset() first")
        checkpoint = self.world.create_checkpoint(f"step {len(self._made)}") if self.backend == "arworld" else {}
        kept = (self.observation, self._frame, self._info)
        return Saved(checkpoint.get("checkpoint_id"), *self._start, tuple(self._made), *kept)

    def restore(self, saved: Saved) -> tuple[Pixels, dict[str, Any]]:
        """Returns to a moment; what follows is, bit for bit, what would have followed then.

        A checkpoint takes milliseconds. Where there is none, on an actionworld, after a reset and in another
        environment, the episode's moves are made again.
        """
        if saved.checkpoint_id is not None and self._start is not None:
            try:
                self.world.restore_checkpoint(saved.checkpoint_id)
                self._start = (saved.picture, saved.prompt, saved.seed)
                self._made = list(saved.actions)
                self.observation, self._frame, self._info = saved.observation, saved.frame, saved.info
                return self.observation.copy(), dict(self._info)
            except WorldError as error:
                if error.code != "checkpoint_not_found":
                    raise
        observation, info = self._begin(saved.picture, saved.prompt, saved.seed)
        for action in saved.actions:
            observation, info = self._move(action)
        return observation.copy(), info

    def discard(self, saved: Saved) -> None:
        """Deletes the checkpoint of a moment, which can then be restored by its moves only."""
        if saved.checkpoint_id is not None:
            self.world.delete_checkpoint(saved.checkpoint_id)

    def video(self) -> bytes:
        """The way of the episode as an MP4 file, with every frame; moves that were undone are not in it."""
        return self.world.walk_video()

    def close(self) -> None:
        """Deletes the world, if this environment has opened it, and closes the connections. May be repeated."""
        self._delete()
        self.world.close()

    def _begin(self, picture: bytes, prompt: str, seed: int) -> tuple[Pixels, dict[str, Any]]:
        self.world.upload_source(picture)
        self._start, self._made, self.receipt = (picture, prompt, seed), [], None
        self._frame = _fit(self.world.frame().array(), *self._size)
        self.observation = self._frame if self._clip_frames is None else np.stack([self._frame] * self._clip_frames)
        self._info = {"keys": "", "replayed": False, "seed": seed, "step": 0}
        if self.backend == "arworld":
            self._info["world_to_camera"] = np.eye(4)
        return self.observation.copy(), dict(self._info)

    def _move(self, action: int) -> tuple[Pixels, dict[str, Any]]:
        assert self._start is not None
        _, prompt, seed = self._start
        camera = self._cameras[action]
        receipt = self.world.move_camera(camera, prompt, timeout=self._timeout, seed=seed, **self._fields)
        frame = Image.from_png(self.world.media(receipt["terminal_frame_media_path"])).array()
        self._frame = _fit(frame, *self._size)  # back at the start, that is the picture in its own size
        if self._clip_frames is None:
            self.observation = self._frame
        else:
            frames = decode_video(self.world.media(receipt["output_media_path"]))[-self._clip_frames :]
            missing = self._clip_frames - len(frames)
            self.observation = np.concatenate([frames[:1].repeat(missing, axis=0), frames])
        self.receipt = receipt
        self._made.append(action)
        keys, count = self.actions[action], len(self._made)
        self._info = {"keys": keys, "replayed": receipt["replayed"], "seed": seed, "step": count}
        if "terminal_world_pose" in receipt:
            pose = receipt["terminal_world_pose"]["world_to_camera"]
            self._info["world_to_camera"] = np.array(pose, np.float64).reshape(4, 4)
        return self.observation, dict(self._info)


def delete_left_worlds(url: str | None = None, *, api_key: str | None = None) -> int:
    """Deletes the worlds of programs that were killed, and of those that still run; returns how many there were."""
    with WorldClient(url, api_key=api_key) as server:
        left = [world["world_id"] for world in server.worlds() if world.get("name") == _NAME]
        for world_id in left:
            server.delete_world(world_id)
    return len(left)


_NAME = "gymnasium"


def _open_world(server: WorldClient) -> str:
    try:
        return str(server.create_world(_NAME)["world_id"])
    except WorldError as error:
        if error.code == "too_many_worlds":
            more = "start the server with --max-worlds; svc_gym.delete_left_worlds() deletes those of killed programs"
            error.args = (f"{error}; {more}",)
        raise


def _delete_world(server: WorldClient, world_id: str) -> None:
    try:
        server.delete_world(world_id)
    except WorldError as error:  # a server that has ended, and a world that somebody has deleted
        if error.code not in ("unreachable", "world_not_found"):
            raise
    finally:
        server.close()


def _bytes_of(picture: Picture) -> bytes:
    if isinstance(picture, bytes):
        return picture
    return Path(picture).read_bytes() if isinstance(picture, (str, Path)) else Image.from_array(picture).png()


def _fit(frame: Pixels, width: int, height: int) -> Pixels:
    """The middle of a frame in another size, by the average of the pixels that each new one covers."""
    rows, columns = frame.shape[:2]
    if (columns, rows) == (width, height):
        return frame
    scale = min(columns / width, rows / height)
    down = _coverage(rows, height, scale)
    across = _coverage(columns, width, scale)
    return np.asarray(np.rint(np.einsum("yr,rcn,xc->yxn", down, frame, across, optimize=True)), np.uint8)


def _coverage(found: int, wanted: int, scale: float) -> NDArray[np.float64]:
    """How much of each of ``found`` pixels each of ``wanted`` ones covers."""
    start = (found - wanted * scale) / 2
    edges = start + scale * np.arange(wanted + 1)
    pixels = np.arange(found)
    covered = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    weights = np.clip(covered, 0, None)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float64)


class WorldVectorEnv(VectorEnv[Pixels, NDArray[np.int64], NDArray[Any]]):
    """Several worlds of one server, which moves in all of them at once.

    A server has 8 worlds by default, the first one included: start it with ``--max-worlds 9`` for eight of these. Their
    blocks are generated in turn on one device, so that what is gained is what a single world leaves idle.

    :param num_envs: Number of worlds.
    :param autoreset_mode: When an episode that has ended is reset, see Gymnasium.
    :param fields: Those of :class:`WorldEnv`.
    """

    def __init__(
        self, num_envs: int = 2, *, autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP, **fields: Any
    ) -> None:
        self.num_envs = num_envs
        self._mode = AutoresetMode(autoreset_mode)
        #: The single environments, for :meth:`WorldEnv.save` and what else one has.
        self.envs: list[WorldEnv] = []
        self._pool = ThreadPoolExecutor(num_envs, "svc-world")
        try:
            for _ in range(num_envs):
                self.envs.append(WorldEnv(**fields))
        except BaseException:
            self.close()
            raise
        first = self.envs[0]
        self.metadata = {**first.metadata, "autoreset_mode": self._mode}
        self.render_mode = first.render_mode
        self.single_observation_space, self.single_action_space = first.observation_space, first.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Pixels, dict[str, Any]]:
        """Starts an episode in every world, with the seeds ``seed``, ``seed + 1`` and so on where one is given.

        :param options: Those of :meth:`WorldEnv.reset`, and Gymnasium's ``reset_mask``.
        """
        if seed is None or isinstance(seed, (int, np.integer)):
            seeds = [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"Cannot reset: there are {len(seeds)} seeds, expected {self.num_envs}")
        options = dict(options or {})
        mask = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, np.bool_)), np.bool_)
        chosen = np.flatnonzero(mask)
        results = self._all(lambda i: self.envs[i].reset(seed=seeds[i], options=options), chosen)
        infos: dict[str, Any] = {}
        observations = [env.observation for env in self.envs]
        for i, (observation, info) in zip(chosen, results):
            observations[i] = observation
            infos = self._add_info(infos, info, int(i))
        self._ended[mask] = False
        return np.stack(observations), infos

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Pixels, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Makes a move in every world and waits for all, also when one of them is refused."""
        if self._mode == AutoresetMode.DISABLED and self._ended.any():
            ended = np.flatnonzero(self._ended).tolist()
            raise RuntimeError(f'Cannot step: the episodes {ended} have ended, reset them with options "reset_mask"')
        infos: dict[str, Any] = {}
        observations, rewards, terminations, truncations = [], [], [], []
        for i, (observation, reward, terminated, truncated, info) in enumerate(
            self._all(self._step_one, range(self.num_envs), actions)
        ):
            observations.append(observation)
            rewards.append(reward)
            terminations.append(terminated)
            truncations.append(truncated)
            infos = self._add_info(infos, info, i)
        ended = np.logical_or(terminations, truncations)
        self._ended = ended if self._mode != AutoresetMode.SAME_STEP else np.zeros_like(ended)
        return np.stack(observations), np.array(rewards), np.array(terminations), np.array(truncations), infos

    def _step_one(self, i: int, action: np.int64) -> tuple[Pixels, float, bool, bool, dict[str, Any]]:
        env = self.envs[i]
        if self._ended[i]:
            observation, info = env.reset()
            return observation, 0.0, False, False, info
        result = env.step(action)
        if self._mode != AutoresetMode.SAME_STEP or not (result[2] or result[3]):
            return result
        observation, info = env.reset()
        return observation, *result[1:4], {**info, "final_obs": result[0], "final_info": result[4]}

    def render(self) -> tuple[Any, ...]:
        """The current frames."""
        return tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        """Deletes the worlds."""
        self._all(lambda env: env.close(), self.envs)
        self._pool.shutdown()

    def _all(self, act: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
        """Calls a function for every world at once; once all have ended, their results or the first error."""
        calls = [self._pool.submit(act, *given) for given in zip(*arguments)]
        wait(calls)
        return [call.result() for call in calls]


def main() -> None:
    """Walks at random and says how fast that is: ``python svc_gym.py --worlds 2``."""
    parser = argparse.ArgumentParser(description="Walks at random through worlds of a world server.")
    parser.add_argument("--url", help="address of the server")
    parser.add_argument("--worlds", type=int, default=1, help="number of worlds that are walked at once")
    parser.add_argument("--steps", type=int, default=20, help="steps in each of them")
    given = parser.parse_args()
    envs = WorldVectorEnv(given.worlds, url=given.url, max_steps=10)
    try:
        envs.reset(seed=0)
        envs.action_space.seed(0)
        envs.step(envs.action_space.sample())
        started = time.monotonic()
        for _ in range(given.steps):
            observations, *_ = envs.step(envs.action_space.sample())
        rate = given.worlds * given.steps / (time.monotonic() - started)
    finally:
        envs.close()
    print(f"{given.worlds} x {given.steps} steps, observations {observations.dtype} {list(observations.shape)}")
    print(f"{rate:.1f} steps/s")


gymnasium.register(
    "svc/World-v0", entry_point="svc_gym:WorldEnv", vector_entry_point="svc_gym:WorldVectorEnv", order_enforce=True
)

if __name__ == "__main__":
    try:
        main()
    except WorldError as error:
        sys.exit(str(error))
