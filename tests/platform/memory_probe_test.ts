import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryProbe, type MemorySource } from "../../lib/platform/machine/memory_probe.ts";
import { systemClock } from "../../lib/platform/machine/system_clock.ts";

const kB = 1024;

/** A system with some files; all others are missing. */
function systemWith(platform: string, files: Record<string, string>, resident = ""): MemorySource {
  return {
    platform,
    pid: 1,
    totalBytes: 1e9,
    freeBytes: () => 5e8,
    readText: (path) => {
      if (path in files) return files[path]!;
      throw new Error("ENOENT");
    },
    listResident: (pids) => Promise.resolve(pids.length === 2 ? resident : ""),
  };
}

test("memoryProbe() reads Linux's pages and adds up this process and its engines", async () => {
  const source = systemWith("linux", {
    "/proc/meminfo":
      "MemTotal:  999 kB\nMemFree:  10 kB\nMemAvailable:  40 kB\nActive:  30 kB\nInactive:  20 kB\nActive(anon): 7 kB\n",
    "/proc/1/status": "Name:\tsvc\nVmHWM:\t   900 kB\nVmRSS:\t   100 kB\n",
    "/proc/2/status": "VmRSS:\t   50 kB\n",
  });
  assert.deepEqual(await memoryProbe(() => [2, 3], source)(), {
    physicalBytes: 1e9,
    currentBytes: 150 * kB,
    availableBytes: 40 * kB,
    freeBytes: 10 * kB,
    activeBytes: 30 * kB,
    inactiveBytes: 20 * kB,
  });
});

test("memoryProbe() counts what the control group of a container allows", async () => {
  const files = {
    "/proc/meminfo": "MemAvailable:  400000 kB\n",
    "/proc/1/status": "VmRSS:\t   100 kB\n",
    "/sys/fs/cgroup/memory.max": "100000000\n",
    "/sys/fs/cgroup/memory.current": "80000000\n",
    "/sys/fs/cgroup/memory.stat": "anon 70000000\nfile 10000000\ninactive_file 5000000\n",
  };
  const read = (changed: Record<string, string>) =>
    memoryProbe(() => [], systemWith("linux", { ...files, ...changed }))();
  const own = { currentBytes: 100 * kB };
  assert.deepEqual(await read({}), { ...own, physicalBytes: 1e8, availableBytes: 2.5e7 });
  assert.deepEqual(await read({ "/sys/fs/cgroup/memory.max": "max\n" }), {
    ...own,
    physicalBytes: 1e9,
    availableBytes: 400_000 * kB,
  });
  assert.equal((await read({ "/sys/fs/cgroup/memory.current": "200000000" })).availableBytes, 0);
});

test("memoryProbe() omits what an old kernel does not report and fails if nothing can be read", async () => {
  const old = systemWith("linux", { "/proc/meminfo": "MemFree:  10 kB\n", "/proc/1/status": "VmRSS:\t   1 kB\n" });
  assert.deepEqual(await memoryProbe(() => [], old)(), {
    physicalBytes: 1e9,
    currentBytes: kB,
    freeBytes: 10 * kB,
  });
  await assert.rejects(memoryProbe(() => [], systemWith("linux", {}))());
});

test("memoryProbe() asks ps on macOS", async () => {
  const source = systemWith("darwin", {}, "  100\n   23\n");
  assert.deepEqual(await memoryProbe(() => [2], source)(), { physicalBytes: 1e9, currentBytes: 123 * kB });
});

test("memoryProbe() measures this machine", async () => {
  const { physicalBytes, currentBytes } = (await memoryProbe(() => [])())!;
  assert.ok(currentBytes > 1e6 && currentBytes < physicalBytes, `${currentBytes} of ${physicalBytes} bytes`);
});

test("systemClock calls after its time unless it is called off", async () => {
  const called: string[] = [];
  systemClock.after(0, () => called.push("off"))();
  await new Promise<void>((resolve) => {
    const keepAlive = setTimeout(() => {}, 1000);
    systemClock.after(1, () => {
      called.push("on");
      clearTimeout(keepAlive);
      resolve();
    });
  });
  assert.deepEqual(called, ["on"]);
  assert.ok(Math.abs(systemClock.now() - Date.now()) < 1000);
});
