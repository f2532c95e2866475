import assert from "node:assert/strict";
import { test } from "node:test";
import { WorldClient } from "../../lib/world/client/world_client.ts";
import { openMedia } from "../../lib/media/mod.ts";
import { frameAt } from "../../lib/media/images/rgb_image.ts";
import { openWorld } from "../../lib/app/world/open_world.ts";
import { end, startServer } from "../support/server_process.ts";
import { withFolder } from "../support/temporary_folder.ts";

const MOVES = ["w", "l", "j", "s"];

test("openWorld() and the world server show the same on a return to the start", () =>
  withFolder(async (folder) => {
    const server = startServer(["--port=0", "--json", "--device=cpu", "--threads=1", `--state-directory=${folder}`]);
    const client = new WorldClient(JSON.parse(await server.line).url);
    const { prompt } = await client.start();
    await client.uploadSource(await client.startImage());
    await using world = await openWorld({ device: "cpu", threads: 1 });
    const media = openMedia();
    for (const move of MOVES) {
      const { jobId } = await client.startRollout({ prompt, actionSeq: [move], numOutputFrames: 3 });
      await client.awaitJob(jobId);
      const served = await media.decodeImage(await client.terminalFrame(jobId));
      for await (const { frames } of world.walk([move])) {
        assert.deepEqual(served, frameAt(frames, frames.count - 1), move);
      }
    }
    await media.close();
    const session = await client.session();
    assert.deepEqual([session.sceneMemoryRetrievalCount, session.sceneMemoryRecycledFrameCount], [4, 3]);
    end(server, "SIGTERM");
    assert.equal(await server.exit, 0);
  }));
