"""Drives examples/python/svc_gym.py as people who train agents do. Arguments: the folder of that file, the server's URL
and its key. Ends with status 0 when all is well.
"""

import sys
import warnings

FOLDER, URL, KEY = sys.argv[1:4]
sys.path.insert(0, FOLDER)

import gymnasium
import numpy as np
import svc_gym
from gymnasium.utils.env_checker import check_env
from svc_world import WorldClient, WorldError

SERVER = {"url": URL, "api_key": KEY}
SMALL = {**SERVER, "size": (64, 64)}
ACTIONS = [svc_gym.key_combinations().index(keys) for keys in ["w", "wl", "l", "j", "s"]]


def episode(env, seed, actions=tuple(ACTIONS)):
    observations = [env.reset(seed=seed)[0]]
    return np.stack(observations + [env.step(action)[0] for action in actions])


def passes_the_checker_of_gymnasium():
    env = gymnasium.make("svc/World-v0", **SMALL)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()
    assert len(WorldClient(URL, api_key=KEY).worlds()) == 1, "worlds are left open"
    print("check_env passes")


def repeats_episodes(env):
    first = episode(env, 3)
    assert first.dtype == np.uint8 and first.shape == (6, 64, 64, 3), first.shape
    assert np.abs(np.diff(first.astype(int), axis=0)).mean() > 3, "nothing moves"
    assert np.array_equal(first, episode(env, 3)), "the same seed gave other pixels"
    assert not np.array_equal(first[1], episode(env, 4, ACTIONS[:1])[1]), "another seed gave the same pixels"
    return first


def undoes_exactly(env):
    env.reset(seed=3)
    at = {keys: env.actions.index(keys) for keys in ["w", "s"]}
    before, *_ = env.step(at["w"])
    env.step(at["w"])
    after, _, _, _, info = env.step(at["s"])
    assert info["replayed"] and info["step"] == 3 and np.array_equal(before, after)


def saves_and_restores(env, first):
    env.reset(seed=3)
    env.step(ACTIONS[0])
    env.step(ACTIONS[1])
    saved = env.save()
    assert (saved.checkpoint_id is not None) == (env.backend == "arworld")
    rest = [env.step(action)[0] for action in ACTIONS[2:]]
    assert np.array_equal(np.stack(rest), first[3:])
    seen, info = env.restore(saved)
    assert np.array_equal(seen, first[2]) and info["step"] == 2
    assert np.array_equal(env.step(ACTIONS[2])[0], first[3])
    if saved.checkpoint_id is not None:
        env.discard(saved)
    seen, _ = env.reset(options={"saved": saved})  # its checkpoint is gone, its moves are made again
    assert np.array_equal(seen, first[2]) and np.array_equal(env.step(ACTIONS[2])[0], first[3])


def has_rewards_ends_and_pictures():
    bright, dark = np.full((64, 64, 3), 220, np.uint8), np.full((64, 64, 3), 20, np.uint8)
    env = svc_gym.WorldEnv(
        **SMALL,
        picture=[bright, dark],
        actions=["w", "s"],
        max_steps=2,
        reward=lambda step: float(step.observation.mean() - step.previous.mean()) + step.info["step"],
        terminated=lambda step: step.info["keys"] == "s",
        render_mode="rgb_array",
    )
    assert env.action_space.n == 2
    means = {round(float(env.reset(seed=seed)[0].mean())) for seed in range(6)}
    assert means == {220, 20}, means
    previous, info = env.reset(seed=1, options={"picture": dark})
    assert np.array_equal(previous, dark) and np.array_equal(env.render(), dark) and info["step"] == 0
    observation, reward, terminated, truncated, _ = env.step(0)
    assert abs(reward - (float(observation.mean() - previous.mean()) + 1)) < 1e-9 and not terminated and not truncated
    assert np.array_equal(env.render(), observation)
    _, _, terminated, truncated, _ = env.step(1)
    assert terminated and truncated
    try:
        env.reset(options={"pictures": []})
    except ValueError as error:
        assert "picture, place, prompt and saved" in str(error)
    else:
        raise AssertionError("an unknown option was taken")
    env.close()
    env.close()


def observes_clips():
    env = svc_gym.WorldEnv(**SMALL, clip_frames=13)
    observation, _ = env.reset(seed=3)
    assert env.observation_space.contains(observation) and observation.shape == (13, 64, 64, 3)
    assert np.array_equal(observation[0], observation[12])
    clip, *_ = env.step(ACTIONS[0])
    clip, *_ = env.step(ACTIONS[0])
    last = env.world.frame().array().astype(int)
    assert np.abs(clip[-1] - last).mean() < 8 < np.abs(clip[0] - last).mean() + 8, "the clip ends elsewhere"
    assert not np.array_equal(clip[5], clip[12])
    assert env.video()[4:8] == b"ftyp"
    env.close()


def walks_several_worlds(first):
    envs = gymnasium.make_vec("svc/World-v0", num_envs=3, **SMALL, max_steps=2)
    assert isinstance(envs, svc_gym.WorldVectorEnv) and envs.observation_space.shape == (3, 64, 64, 3)
    seen, info = envs.reset(seed=2)
    assert np.array_equal(seen[1], first[0]) and info["seed"].shape == (3,)
    seen, rewards, _, truncated, _ = envs.step(np.array([ACTIONS[2], ACTIONS[0], ACTIONS[2]]))
    assert np.array_equal(seen[1], first[1]), "a world beside others made other pixels"
    assert not rewards.any() and not truncated.any()
    _, _, _, truncated, _ = envs.step(np.array(ACTIONS[:3]))
    assert truncated.all()
    seen, _, _, truncated, info = envs.step(np.array(ACTIONS[:3]))  # the next step resets
    assert not truncated.any() and not info["step"].any() and np.array_equal(seen[1], first[0])
    envs.close()
    envs = svc_gym.WorldVectorEnv(2, autoreset_mode="SameStep", max_steps=1, **SMALL)
    envs.reset(seed=3)
    seen, _, _, truncated, info = envs.step(np.array([ACTIONS[0]] * 2))
    assert truncated.all() and np.array_equal(info["final_obs"][0], first[1]) and np.array_equal(seen[0], first[0])
    envs.close()


def walks_in_processes(first):
    envs = gymnasium.make_vec("svc_gym:svc/World-v0", num_envs=2, vectorization_mode="async", **SMALL)
    envs.reset(seed=3)
    assert np.array_equal(envs.step(np.array([ACTIONS[0]] * 2))[0][0], first[1])
    envs.close()


def reports_refusals():
    env = svc_gym.WorldEnv(**SERVER, size=(60, 64))
    env.reset()
    try:
        env.step(0)
    except WorldError as error:
        assert error.param == "width" and "multiple of" in str(error), str(error)
    else:
        raise AssertionError("a wrong size was taken")
    env.close()
    client = WorldClient(URL, api_key=KEY)
    count = len(client.worlds())
    try:
        svc_gym.WorldVectorEnv(9, **SERVER)
    except WorldError as error:
        assert error.code == "too_many_worlds" and "--max-worlds" in str(error), str(error)
    else:
        raise AssertionError("too many worlds were opened")
    assert len(client.worlds()) == count, "worlds are left open"
    assert svc_gym.delete_left_worlds(URL, api_key=KEY) == 1  # that of main(), which is the last to use it
    assert len(client.worlds()) == 1


def main():
    passes_the_checker_of_gymnasium()
    env = svc_gym.WorldEnv(**SMALL)
    first = repeats_episodes(env)
    undoes_exactly(env)
    saves_and_restores(env, first)
    walks_several_worlds(first)
    if env.backend == "arworld":  # the same code for both
        has_rewards_ends_and_pictures()
        observes_clips()
        walks_in_processes(first)
        reports_refusals()
    env.close()  # also when somebody else has deleted its world
    assert len(WorldClient(URL, api_key=KEY).worlds()) == 1, "worlds are left open"


if __name__ == "__main__":
    main()
