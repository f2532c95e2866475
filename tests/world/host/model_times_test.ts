import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelTimes } from "../../../lib/world/host/world_metrics.ts";
import { familiesText } from "../../../lib/http/metrics.ts";

test("blocks and states are counted by their size, in the format of Prometheus", () => {
  const times = new ModelTimes();
  times.record({ call: "generate", seconds: 0.1, bytes: 0 });
  times.record({ call: "generate", seconds: 60, bytes: 0 });
  times.record({ call: "exportState", seconds: 0.004, bytes: 1_900_000 });
  times.record({ call: "begin", seconds: 5, bytes: 0 });
  const lines = familiesText(times.families()).split("\n");
  for (
    const line of [
      "# TYPE svc_block_seconds histogram",
      'svc_block_seconds_bucket{le="0.05"} 0',
      'svc_block_seconds_bucket{le="0.1"} 1',
      'svc_block_seconds_bucket{le="30"} 1',
      'svc_block_seconds_bucket{le="+Inf"} 2',
      "svc_block_seconds_sum 60.1",
      "svc_block_seconds_count 2",
      'svc_snapshot_bytes_bucket{direction="written",le="1000000"} 0',
      'svc_snapshot_bytes_bucket{direction="written",le="2000000"} 1',
      'svc_snapshot_seconds_count{direction="written"} 1',
      'svc_snapshot_seconds_count{direction="read"} 0',
    ]
  ) assert.ok(lines.includes(line), line);
});
