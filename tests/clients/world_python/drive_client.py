"""Drives a world server by examples/python/svc_world.py, with the standard library alone. Arguments: the folder of that
file, the server's URL and its key. Ends with status 0 when all is well.
"""

import http.client
import sys

FOLDER, URL, KEY = sys.argv[1:4]
sys.path.insert(0, FOLDER)

from svc_world import WorldClient, WorldError, inverse_camera

SMALL = {"num_frames": 9, "width": 64, "height": 64}


def refused(code, act):
    try:
        act()
    except WorldError as error:
        assert error.code == code, f"{error.code}: {error}"
        return error
    raise AssertionError(f"expected {code}")


def names_what_was_wrong():
    assert refused("missing_api_key", WorldClient(URL).worlds).status == 401
    assert WorldClient().health() == server.health()  # SVC_URL and SVC_API_KEY
    lost = refused("unreachable", WorldClient("http://127.0.0.1:1", retries=0).health)
    assert "npm start" in str(lost) and lost.status == 0
    error = refused("invalid_num_frames", lambda: world.move("w", num_frames=-1))
    assert error.param == "num_frames" and error.request_id and "num_frames" in str(error)
    assert refused("world_not_found", lambda: server.delete_world("00000000-0000-4000-8000-000000000000")).status == 404
    assert refused("image_unsupported", lambda: world.upload_source(b"no picture")).status == 400


def walks_and_walks_back():
    world.upload_source(world.start_image())
    start = world.frame()
    assert (start.width, start.height) == (384, 256) and len(set(start.pixels)) > 50
    first = world.move("w", **SMALL)
    seen = world.frame()
    assert (seen.width, seen.height, first["replayed"]) == (64, 64, False)
    assert world.terminal_frame(first["request_id"]) == seen
    held = world.move("wl", **SMALL)
    assert held["camera"]["motion"] == "custom" and held["camera"]["rotation_degrees"] == [0, 15, 0]
    assert world.frame() != seen
    assert world.back()["replayed"] and world.frame() == seen
    assert world.back()["camera"] == inverse_camera(first["camera"])
    refused("nothing_to_undo", world.back)


def follows_jobs():
    stages = []
    job = world.start_transition(camera={**world.move("l", **SMALL)["camera"]}, **SMALL)
    done = world.wait(job["job_id"], on_progress=lambda record: stages.append(record["status"]))
    assert stages[-1] == done["status"] == "completed"
    assert [chunk["block_index"] for chunk, mp4 in world.chunks(job["job_id"]) if mp4[4:8] == b"ftyp"] == [0]
    assert world.output(job["job_id"])[4:8] == b"ftyp" and world.walk_video()[4:8] == b"ftyp"
    count = world.session()["transition_count"]
    refused("timeout", lambda: world.move("w", timeout=0, num_frames=333))
    assert world.session()["phase"] == "ready" and world.session()["transition_count"] == count
    job = world.start_transition(camera=done["receipt"]["camera"], num_frames=333)
    refused("session_busy", lambda: world.move("w"))
    world.cancel(job["job_id"])
    refused("job_cancelled", lambda: world.wait(job["job_id"]))


def keeps_checkpoints_and_rolls_out():
    here = world.create_checkpoint("here")
    receipt = world.rollout(["w", " "], width=64, height=64)
    assert receipt["action_seq"] == ["w", " "] and receipt["pixel_frame_count"] == 25
    end = world.frame()
    assert world.checkpoint_frame(here["checkpoint_id"]) != end
    world.restore_checkpoint(here["checkpoint_id"])
    assert world.rollout(["w", " "], width=64, height=64)["terminal_world_pose"] == receipt["terminal_world_pose"]
    assert world.frame() == end
    assert [saved["name"] for saved in world.checkpoints()] == ["here"]
    assert world.delete_checkpoint(here["checkpoint_id"])["name"] == "here" and world.checkpoints() == []


def hears_of_events():
    events = world.events()
    first = next(events)
    assert first.event == "snapshot" and first.data["session_id"] == world.session()["session_id"]
    job = world.start_transition(camera={"motion": "hold", "translation_meters": [0] * 3, "rotation_degrees": [0] * 3})
    kinds = set()
    for event in events:
        kinds.add(event.event)
        if event.event == "job" and event.data["status"] == "completed":
            assert event.data["job_id"] == job["job_id"]
            break
    assert "chunk" in kinds
    events.close()
    assert next(world.events(last_event_id=event.id.rsplit(".", 1)[0] + ".0")).event != ""


def sends_again_what_a_broken_connection_lost():
    """The server accepts the move, the answer is lost: the same key gets it again, and the move is made once."""
    lost = []

    class Breaking(http.client.HTTPConnection):
        def getresponse(self):
            response = super().getresponse()
            if not lost:
                lost.append(response.read())
                raise http.client.RemoteDisconnected("by this test")
            return response

    connect = world._connect
    count = world.session()["transition_count"]
    world.close()
    world._connect = lambda timeout: Breaking(connect(timeout).host, connect(timeout).port, timeout=timeout)
    job = world.start_transition("a corridor", camera=inverse_camera(inverse_camera(FORWARD)), **SMALL)
    world.wait(job["job_id"])
    assert lost and job["job_id"].encode() in lost[0]
    assert world.session()["transition_count"] == count + 1
    world._connect = connect


FORWARD = {"motion": "forward", "translation_meters": [0, 0, 1], "rotation_degrees": [0, 0, 0]}
server = WorldClient(URL, api_key=KEY)
assert server.health()["backend"] == "arworld"
opened = server.create_world("from Python")
world = server.world(opened["world_id"])
try:
    world.prepare()
    assert [record.get("name") for record in server.worlds()] == [None, "from Python"]
    names_what_was_wrong()
    walks_and_walks_back()
    follows_jobs()
    keeps_checkpoints_and_rolls_out()
    hears_of_events()
    sends_again_what_a_broken_connection_lost()
finally:
    server.delete_world(opened["world_id"])
assert len(server.worlds()) == 1
