import assert from "node:assert/strict";
import { test } from "node:test";
import { machineState, type MachineStateSource } from "../../lib/platform/machine/machine_state.ts";

/** A Linux machine with these files. */
function machine(files: Readonly<Record<string, string>>): MachineStateSource {
  const names = Object.keys(files);
  return {
    platform: "linux",
    list: (folder) => {
      const below = names.filter((name) => name.startsWith(`${folder}/`)).map((name) => name.slice(folder.length + 1));
      if (below.length === 0) throw new Error("ENOENT");
      return [...new Set(below.map((name) => name.split("/")[0]))];
    },
    readText: (path) => {
      if (files[path] === undefined) throw new Error("ENOENT");
      return files[path];
    },
  };
}

/** A zone at a temperature, which throttles at 80 degrees, is too hot at 90 and turns off at 100. */
function zone(temperature: string, index = 0): Record<string, string> {
  const folder = `/sys/class/thermal/thermal_zone${index}`;
  return {
    [`${folder}/temp`]: temperature,
    [`${folder}/trip_point_0_temp`]: "100000\n",
    [`${folder}/trip_point_0_type`]: "critical\n",
    [`${folder}/trip_point_1_temp`]: "80000\n",
    [`${folder}/trip_point_1_type`]: "passive\n",
    [`${folder}/trip_point_2_temp`]: "90000\n",
    [`${folder}/trip_point_2_type`]: "hot\n",
    // A fan that begins to turn, and a trip point that is not used.
    [`${folder}/trip_point_3_temp`]: "30000\n",
    [`${folder}/trip_point_3_type`]: "active\n",
    [`${folder}/trip_point_4_temp`]: "-274000\n",
    [`${folder}/trip_point_4_type`]: "critical\n",
  };
}

// @row model-api > Runtime status > `process`
test("machineState() is as hot as the hottest zone, and absent where nothing reports it", () => {
  for (const [temperature, state] of Object.entries({ 45: "nominal", 80: "fair", 95: "serious", 101: "critical" })) {
    assert.deepEqual(machineState(machine(zone(`${temperature}000\n`))), { thermalState: state });
  }
  assert.deepEqual(machineState(machine({ ...zone("85000"), ...zone("20000", 1) })), { thermalState: "fair" });
  const bare = { "/sys/class/thermal/thermal_zone0/temp": "99000" };
  for (const files of [{}, bare, { ...zone("hot") }]) assert.deepEqual(machineState(machine(files)), {});
});

test("machineState() reports whether the system saves power", () => {
  const profile = (text: string) => machineState(machine({ "/sys/firmware/acpi/platform_profile": text }));
  assert.deepEqual(profile("low-power\n"), { lowPowerModeEnabled: true });
  assert.deepEqual(profile("balanced\n"), { lowPowerModeEnabled: false });
  assert.deepEqual(machineState({ ...machine({}), platform: "darwin" }), {});
  machineState();
});
