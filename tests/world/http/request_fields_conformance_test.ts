import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { moveTo, ok, PICTURE, refused, SESSION, UPLOAD, withWorld } from "../../support/with_world.ts";
import { deferred, ROLLOUT, transition, type WorldHarness } from "../../support/world_harness.ts";

/** A body that is right, and what its route answers then; clips are the transitions of an actionworld. */
const routes = {
  transitions: { body: transition("forward"), status: 202 },
  clips: { body: { ...transition("forward"), width: 64, height: 48, num_frames: 17 }, status: 202 },
  rollouts: { body: ROLLOUT, status: 202 },
  reset: { body: {}, status: 200 },
  checkpoints: { body: { name: "door" }, status: 201 },
} as const;

type RouteName = keyof typeof routes;

/** What a field takes and what it does not, as JSON texts: JSON can say numbers that JavaScript cannot. */
interface Kind {
  readonly good: readonly string[];
  readonly bad: readonly string[];
  readonly wrongType: readonly string[];
}

const notNumber = ["null", "true", '"17"', "[17]", "{}"];
const notText = ["null", "true", "17", '["a"]', "{}"];
const integer = (min: number, max: number): Kind => ({
  good: [`${min}`, `${max}`, `${min}.0`, "16e0"],
  bad: [`${min - 1}`, `${max + 1}`, "-1", "1.5", "1e400", "-1e400", "1e100"],
  wrongType: notNumber,
});
const side = (max: number, unit = 32): Kind => ({
  good: [`${unit}`, `${max}`, "64.0"],
  bad: ["0", `-${unit}`, `${unit - 1}`, `${unit + 1}`, "56", `${max - 1}`, `${max + unit}`, "64.5", "1e400"],
  wrongType: notNumber,
});
const positive: Kind = {
  good: ["5e-324", "0.5", "1", "40"],
  bad: ["0", "-0.0", "-1", "1e400", "-1e400"],
  wrongType: notNumber,
};
const seed: Kind = {
  good: ["0", "9007199254740991", '"0"', '"9007199254740992"', '"18446744073709551615"', '"007"'],
  bad: ["-1", "0.5", "9007199254740992", "1e400", '"18446744073709551616"', '"-1"', '"1.5"', '"0x10"', '""', '" 1"'],
  wrongType: ["null", "true", "[1]", "{}"],
};
const guidance: Kind = { good: ["0", "1", "7.5", "1e300"], bad: ["-0.5", "1e400"], wrongType: notNumber };
const path: Kind = {
  good: [],
  bad: ['""', '"a\\u0000b"', `"${"x".repeat(4097)}"`, `"${"é".repeat(2049)}"`, `"${"x/".repeat(256)}"`],
  wrongType: notText,
};

/** Relative pose of a camera that stands still. */
const ROW = "[0,0,0,1,0,0,0,1,0]";

/** Every field of every body. Routes are asked while the session is at its source, so that sizes are free. */
const fields: [route: RouteName, field: string, kind: Kind][] = [
  ["transitions", "prompt", { good: ['""', '"a corridor"', '"🚪"'], bad: [], wrongType: notText }],
  ["transitions", "num_frames", integer(1, 1005)],
  ["transitions", "steps", integer(1, 1000)],
  ["transitions", "guidance_scale", guidance],
  ["transitions", "shift", positive],
  ["transitions", "seed", seed],
  ["transitions", "fps", integer(1, 240)],
  ["transitions", "width", side(1280)],
  ["transitions", "height", side(704)],
  ["transitions", "source_image", path],
  ["transitions", "output", path],
  ["clips", "num_frames", {
    good: ["5", "17", "21.0", "1005"],
    bad: ["0", "1", "-3", "4", "6", "16", "18", "1004", "1006", "1009", "17.5", "1e400"],
    wrongType: notNumber,
  }],
  ["clips", "steps", integer(1, 1000)],
  ["clips", "guidance_scale", guidance],
  ["clips", "shift", positive],
  ["clips", "seed", seed],
  ["clips", "fps", integer(1, 240)],
  ["clips", "width", side(1280, 16)],
  ["clips", "height", side(1280, 16)],
  ["clips", "model_space_actions", {
    good: [`[${ROW}]`, `[${ROW},${ROW}]`, `[${Array(60).fill(ROW)}]`],
    bad: ["[]", "[[]]", "[[0,0,0,1,0,0,0,1]]", `[${ROW},[0,0,0,1,0,0,0,1,0,0]]`, "[[1e400,0,0,1,0,0,0,1,0]]"],
    wrongType: ["null", "true", "1", '"x"', "{}", "[1]", '[["0",0,0,1,0,0,0,1,0]]', "[[null,0,0,1,0,0,0,1,0]]"],
  }],
  ["rollouts", "prompt", { good: ['" a corridor "'], bad: ['""', '" \\n\\t"'], wrongType: notText }],
  ["rollouts", "action_seq", {
    good: ['["w"]', '[" "]', '["wd","AJ","SI","lk"]', '["   "]'],
    bad: [
      "[]",
      '[""]',
      `["${" ".repeat(65)}"]`,
      `[${Array(1006).fill('"w"')}]`,
      '["x"]',
      '["ws"]',
      '["aD"]',
      '["ik"]',
      '["jl"]',
      '["w\\n"]',
    ],
    wrongType: ["null", "true", "17", '"w"', "{}", "[1]", "[null]", '[["w"]]'],
  }],
  ["rollouts", "action_speed_list", {
    good: ["[1,2]", "[0.001,1000]"],
    bad: ["[]", "[1]", "[1,1,1]", "[0,1]", "[-1,1]", "[1e400,1]", "[1e308,1e308]", `[${Array(1006).fill(1)}]`],
    wrongType: ["null", "true", "1", '"1,2"', "{}", '["1","2"]', "[null,1]"],
  }],
  ["rollouts", "num_output_frames", {
    good: ["3", "252", "21.0"],
    bad: ["0", "-3", "1", "2", "4", "251", "253", "255", "3.5", "1e400"],
    wrongType: notNumber,
  }],
  ["rollouts", "speed", { ...positive, good: ["0.001", "1.5", "100"] }],
  ["rollouts", "seed", seed],
  ["rollouts", "fps", integer(1, 240)],
  ["rollouts", "width", side(1280)],
  ["rollouts", "height", side(704)],
  ["rollouts", "source_image", path],
  ["rollouts", "output", path],
  ["reset", "source_image", path],
  ["checkpoints", "name", {
    good: ['"x"', `"${"x".repeat(200)}"`, `"${"🚪".repeat(200)}"`, '" "'],
    bad: ['""', `"${"x".repeat(201)}"`],
    wrongType: notText,
  }],
];

const camel = (name: string): string => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** A right body with one field written as it is here. */
function bodyWith(route: RouteName, field: string, value: string): string {
  const { [field]: _, ...rest } = routes[route].body as Record<string, unknown>;
  const others = Object.entries(rest).map(([name, it]) => `${JSON.stringify(name)}:${JSON.stringify(it)}`);
  return `{${[...others, `"${field}":${value}`].join(",")}}`;
}

function post(h: WorldHarness, route: RouteName, body: string): Promise<Response> {
  return h.call("POST", `${SESSION}/${route === "clips" ? "transitions" : route}`, {
    headers: { "content-type": "application/json" },
    body,
  });
}

/** Sends a body that must be taken; the job or lock that it begins is ended at once. */
async function taken(h: WorldHarness, route: RouteName, body: string): Promise<void> {
  const record = await ok(post(h, route, body), routes[route].status);
  if (route === "checkpoints") return void await h.call("DELETE", `${SESSION}/checkpoints/${record.checkpoint_id}`);
  await h.call("DELETE", `/v1/world/jobs/${record.job_id}`);
  await h.ended(record);
}

async function refusedField(response: Promise<Response>, code: string, field: string, value: string): Promise<void> {
  const answer = await response;
  const { error } = await answer.json();
  assert.deepEqual([answer.status, error.code, error.type], [400, code, "invalid_request_error"], value);
  assert.equal(error.param.replace(/\[.*/, ""), field);
  assert.match(error.message, new RegExp(`^Cannot .*"${field}.*" is .*, expected .*[^.]$`), value);
  if (/^-?1e400$/.test(value)) assert.match(error.message, /Infinity/);
}

const backendOf = (route: RouteName) => route === "clips" ? { backend: "actionworld" } as const : {};

for (const [route, field, { good, bad, wrongType }] of fields) {
  // @row world-session > Transition > `prompt` => prompt · transitions
  // @row world-session > Transition > `source_image` => source_image · transitions
  // @row world-session > Transition > `output` => output · transitions
  // @row world-session > Transition > `width` => width · transitions
  // @row world-session > Transition > `width` => width · clips
  // @row world-session > Transition > `height` => height · transitions
  // @row world-session > Transition > `height` => height · clips
  // @row world-session > Transition > `num_frames` => num_frames · transitions
  // @row world-session > Transition > `num_frames` => num_frames · clips
  // @row world-session > Transition > `steps` => steps · transitions
  // @row world-session > Transition > `steps` => steps · clips
  // @row world-session > Transition > `guidance_scale` => guidance_scale · transitions
  // @row world-session > Transition > `guidance_scale` => guidance_scale · clips
  // @row world-session > Transition > `shift` => shift · transitions
  // @row world-session > Transition > `shift` => shift · clips
  // @row world-session > Transition > `seed` => seed · transitions
  // @row world-session > Transition > `seed` => seed · clips
  // @row world-session > Transition > `fps` => fps · transitions
  // @row world-session > Transition > `fps` => fps · clips
  // @row world-session > Transition > `model_space_actions`: nine finite numbers a row => model_space_actions · clips
  // @row world-session > Rollout > `prompt` => prompt · rollouts
  // @row world-session > Rollout > `action_speed_list` => action_speed_list · rollouts
  // @row world-session > Rollout > `width` => width · rollouts
  // @row world-session > Rollout > `height` => height · rollouts
  // @row world-session > Rollout > `speed` => speed · rollouts
  // @row world-session > Rollout > `seed` => seed · rollouts
  // @row world-session > Rollout > `fps` => fps · rollouts
  // @row world-session > Rollout > `output` => output · rollouts
  // @row world-session > Rollout > `action_seq` => action_seq · rollouts
  // @row world-session > Rollout > `source_image` => source_image · rollouts
  // @row world-session > Rollout > `num_output_frames`; frames are (n - 1) · 4 + 1 => num_output_frames · rollouts
  // @row world-session > Reset and checkpoint requests > `source_image` of a reset => source_image · reset
  // @row world-session > Reset and checkpoint requests > `name` of a checkpoint => name · checkpoints
  // @row world-session > Errors > `num_output_frames` not a multiple of 3 => num_output_frames · rollouts
  // @row world-session > Errors > More than 1280 x 704 => width · rollouts
  // @row world-session > Errors > More than 1280 x 704 => height · rollouts
  // @row world-session > Errors > More than 1280 x 704 => width · transitions
  // @row world-session > Errors > More than 1280 x 704 => height · transitions
  // @row world-session > Errors > `num_frames` of an actionworld not 4n + 1 => num_frames · clips
  // @row world-session > Errors > A row without nine finite numbers => model_space_actions · clips
  // @row world-session > Limits > 1280 x 704 => width · rollouts
  // @row world-session > Limits > 1280 x 704 => height · rollouts
  // @row world-session > Limits > `num_output_frames`: multiples of 3, at most 252 => num_output_frames · rollouts
  // @row world-session > Limits > 4n + 1 frames of a clip => num_frames · clips
  test(`${field} of ${route}: both spellings, bounds and wrong types`, () =>
    withWorld(async (h) => {
      h.model.gate = h.clips.gate = new Promise(() => {});
      for (const name of new Set([field, camel(field)])) {
        const body = (value: string) => bodyWith(route, field, value).replace(`"${field}":`, `"${name}":`);
        for (const value of good) await taken(h, route, body(value));
        for (const value of bad) await refusedField(post(h, route, body(value)), `invalid_${field}`, field, value);
        for (const value of wrongType) await refusedField(post(h, route, body(value)), "wrong_type", field, value);
      }
    }, backendOf(route)));
}

for (const route of Object.keys(routes) as RouteName[]) {
  const own = fields.filter(([of]) => of === route);

  // @row world-session > Rules of every route > A field given twice => transitions
  // @row world-session > Rules of every route > A field given twice => rollouts
  test(`POST ${route} refuses each field given twice, in one spelling or in two`, () =>
    withWorld(async (h) => {
      for (const [, field, { good: [value = '"a.png"'] }] of own) {
        for (const name of new Set([field, camel(field)])) {
          const twice = bodyWith(route, field, value).replace(/}$/, `,"${name}":${value}}`);
          await refused(post(h, route, twice), 400, "duplicate_field", field);
        }
      }
    }, backendOf(route)));

  // @row world-session > Rules of every route > An unknown field, and the one that was meant => transitions
  // @row world-session > Rules of every route > An unknown field, and the one that was meant => rollouts
  test(`POST ${route} names each field when it is misspelled`, () =>
    withWorld(async (h) => {
      for (const [, field] of own) {
        const body = bodyWith(route, field, '"x"').replace(`"${field}":`, `"${field}s":`);
        const message = await refused(post(h, route, body), 400, "unknown_field", `${field}s`);
        assert.ok(message.endsWith(`did you mean "${field}"?`), message);
      }
    }, backendOf(route)));
}

const required: [route: RouteName, fields: string[]][] = [
  ["transitions", ["prompt", "camera"]],
  ["rollouts", ["prompt", "action_seq"]],
  ["checkpoints", ["name"]],
];
for (const [route, names] of required) {
  // @row world-session > Transition > Required fields => transitions · prompt and camera
  // @row world-session > Rollout > Required fields => rollouts · prompt and action_seq
  // @row world-session > Reset and checkpoint requests > `name` of a checkpoint => checkpoints · name
  test(`POST ${route} demands ${names.join(" and ")} and nothing else`, () =>
    withWorld(async (h) => {
      const body: Record<string, unknown> = routes[route].body;
      for (const name of names) {
        const rest = { ...body, [name]: undefined };
        await refused(h.call("POST", `${SESSION}/${route}`, { json: rest }), 400, "missing_field", name);
      }
      h.model.gate = new Promise(() => {});
      await taken(h, route, JSON.stringify(Object.fromEntries(names.map((name) => [name, body[name]]))));
    }));
}

// @row world-session > Errors > 400 bodies that are not JSON objects, or nested deeply
test("every body must be one JSON object", () =>
  withWorld(async (h) => {
    for (const route of Object.keys(routes) as RouteName[]) {
      for (
        const text of ["null", "[]", "7", '"x"', "true", "{", "{}x", "NaN", '{"prompt":NaN}', "{'a':1}"]
      ) {
        await refused(post(h, route, text), 400, "invalid_json");
      }
    }
  }));

// @row world-session > Errors > 400 bodies that are not JSON objects, or nested deeply
test("a value that is nested 100 000 deep is refused before it is read", () =>
  withWorld(async (h) => {
    for (const value of [`${"[".repeat(1e5)}${"]".repeat(1e5)}`, `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`]) {
      for (const route of ["transitions", "rollouts", "checkpoints"] as const) {
        const message = await refused(post(h, route, bodyWith(route, "name", value)), 400, "invalid_json");
        assert.match(message, /it has more than 512 levels, expected fewer$/);
      }
    }
    await refused(post(h, "reset", "[".repeat(1e5)), 400, "invalid_json");
  }));

test("a value that is nested 500 deep is refused like any other of a wrong type", () =>
  withWorld(async (h) => {
    const deep = [`${"[".repeat(500)}${"]".repeat(500)}`, `${'{"a":'.repeat(500)}1${"}".repeat(500)}`];
    for (const value of deep) {
      for (const field of ["prompt", "seed", "width", "source_image"]) {
        for (const route of ["transitions", "rollouts"] as const) {
          await refused(post(h, route, bodyWith(route, field, value)), 400, "wrong_type", field);
        }
      }
      const action = bodyWith("rollouts", "action_seq", `[${value}]`);
      await refused(post(h, "rollouts", action), 400, "wrong_type", "action_seq[0]");
      await refused(post(h, "checkpoints", bodyWith("checkpoints", "name", value)), 400, "wrong_type", "name");
    }
    await refused(post(h, "transitions", bodyWith("transitions", "camera", deep[0])), 400, "wrong_type", "camera");
    await refused(post(h, "reset", deep[0]), 400, "invalid_json");
  }));

/** Right, down and forward of a camera that may have them. */
const camera = (motion: string, meters: string, degrees: string): string =>
  `{"motion":"${motion}","translationMeters":${meters},"rotationDegrees":${degrees}}`;

// @row world-session > Transition > `camera.motion`
// @row world-session > Transition > `camera.translation_meters`, `camera.rotation_degrees`
test("POST transitions takes every motion, and its parts in both spellings", () =>
  withWorld(async (h) => {
    h.model.gate = new Promise(() => {});
    const motions = ["hold", "forward", "backward", "strafeLeft", "strafeRight", "yawLeft", "yawRight", "custom"];
    for (const motion of motions) {
      const value = camera(motion, "[0.5,0,-0.5]", "[1,-2,0]");
      await taken(h, "transitions", bodyWith("transitions", "camera", value));
      const snake = value.replace("translationMeters", "translation_meters").replace(
        "rotationDegrees",
        "rotation_degrees",
      );
      await taken(h, "transitions", bodyWith("transitions", "camera", snake));
    }
  }));

test("routes without fields refuse those of a body by name", () =>
  withWorld(async (h) => {
    const headers = { "content-type": "application/json" };
    for (const action of ["prepare", "unload"]) {
      const send = (body: string) => h.call("POST", `${SESSION}/${action}`, { headers, body });
      await refused(send('{"warm":true}'), 400, "unknown_field", "warm");
      await refused(send("[]"), 400, "invalid_json");
      assert.equal((await send("{}")).status, 200);
    }
  }));

const cameras: [value: string, code: string, param: string][] = [
  ["null", "wrong_type", "camera"],
  ['"forward"', "wrong_type", "camera"],
  ["[]", "wrong_type", "camera"],
  ["{}", "missing_field", "camera.motion"],
  ['{"motion":"hold","rotationDegrees":[0,0,0]}', "missing_field", "camera.translation_meters"],
  ['{"motion":"hold","translationMeters":[0,0,0]}', "missing_field", "camera.rotation_degrees"],
  [camera("Forward", "[0,0,1]", "[0,0,0]"), "invalid_camera", "camera.motion"],
  [camera("strafe_left", "[0,0,1]", "[0,0,0]"), "invalid_camera", "camera.motion"],
  [camera("", "[0,0,1]", "[0,0,0]"), "invalid_camera", "camera.motion"],
  ['{"motion":5,"translationMeters":[0,0,0],"rotationDegrees":[0,0,0]}', "wrong_type", "camera.motion"],
  [camera("hold", "[0,0]", "[0,0,0]"), "invalid_camera", "camera.translation_meters"],
  [camera("hold", "[0,0,0,0]", "[0,0,0]"), "invalid_camera", "camera.translation_meters"],
  [camera("hold", "[]", "[0,0,0]"), "invalid_camera", "camera.translation_meters"],
  [camera("hold", "[0,1e400,0]", "[0,0,0]"), "invalid_camera", "camera.translation_meters[1]"],
  [camera("hold", '[0,"0",0]', "[0,0,0]"), "wrong_type", "camera.translation_meters[1]"],
  [camera("hold", "[0,null,0]", "[0,0,0]"), "wrong_type", "camera.translation_meters[1]"],
  [camera("hold", "{}", "[0,0,0]"), "wrong_type", "camera.translation_meters"],
  [camera("hold", "[0,0,0]", "[0,0]"), "invalid_camera", "camera.rotation_degrees"],
  [camera("hold", "[0,0,0]", "[0,0,-1e400]"), "invalid_camera", "camera.rotation_degrees[2]"],
  [camera("hold", "[0,0,0]", "null"), "wrong_type", "camera.rotation_degrees"],
  [camera("custom", "[0,0.1,0]", "[0,0,0]"), "invalid_camera", "camera.translation_meters"],
  [camera("custom", "[0,0,0]", "[0,0,0.1]"), "invalid_camera", "camera.rotation_degrees"],
  ['{"motion":"hold","motions":1}', "unknown_field", "camera.motions"],
  [
    '{"motion":"hold","translationMeters":[0,0,0],"translation_meters":[0,0,0],"rotationDegrees":[0,0,0]}',
    "duplicate_field",
    "camera.translation_meters",
  ],
  ['{"motion":"hold","motion":"hold"}', "duplicate_field", "motion"],
];
for (const [value, code, param] of cameras) {
  // @row world-session > Transition > `camera.motion`
  // @row world-session > Transition > `camera.translation_meters`, `camera.rotation_degrees`
  test(`POST transitions refuses the camera ${value}`, () =>
    withWorld(async (h) =>
      void await refused(post(h, "transitions", bodyWith("transitions", "camera", value)), 400, code, param)
    ));
}

// @row world-session > Errors > A row without nine finite numbers
test("POST clips refuses a way beyond the numbers of the model, before it becomes a job", () =>
  withWorld(async (h) => {
    const rows = "[[1e39,0,0,1,0,0,0,1,0]]";
    const body = bodyWith("clips", "model_space_actions", rows);
    await refused(post(h, "clips", body), 400, "invalid_model_space_actions", "model_space_actions");
    const far = bodyWith("clips", "camera", camera("forward", "[0,0,1e39]", "[0,0,0]"));
    await refused(post(h, "clips", far), 400, "invalid_camera", "camera");
    const bound = rows.replace("1e39", "3e38");
    await taken(h, "clips", bodyWith("clips", "model_space_actions", bound));
  }, backendOf("clips")));

// @row world-session > Transition > `output`
// @row world-session > Rules of every route > Keys in, both spellings
test("POST transitions gives the same for all fields in snake_case and in camelCase", () =>
  withWorld(async (h) => {
    writeFileSync(join(h.folder, "a.png"), PICTURE);
    const { camera: _, ...rest } = transition("yawLeft");
    const snake = {
      ...rest,
      camera: { motion: "yawLeft", translation_meters: [0, 0, 0], rotation_degrees: [0, -15, 0] },
      source_image: join(h.folder, "a.png"),
      output: join(h.folder, "one.mp4"),
      num_frames: 21,
      steps: 3,
      guidance_scale: 2,
      shift: 4,
      seed: "18446744073709551615",
      fps: 12,
    };
    const again = { ...camelKeys(snake), camera: camelKeys(snake.camera), output: join(h.folder, "two.mp4") };
    const [one, two] = [await moveTo(h, "transitions", snake), await moveTo(h, "transitions", again)];
    const { effective, pixel_frame_count, fps, seed, width, height } = one.receipt!;
    assert.deepEqual({ pixel_frame_count, fps, seed, width, height }, {
      pixel_frame_count: 21,
      fps: 12,
      seed: "18446744073709551615",
      width: 64,
      height: 32,
    });
    assert.deepEqual(two.receipt!.effective, effective);
    assert.deepEqual([two.receipt!.camera, two.receipt!.seed, two.receipt!.fps], [one.receipt!.camera, seed, fps]);
    assert.deepEqual([one, two].map(({ receipt }) => receipt!.output_path), [snake.output, again.output]);
  }));

// @row world-session > Rules of every route > Keys in, both spellings
test("POST rollouts gives the same for all fields in snake_case and in camelCase", () =>
  withWorld(async (h) => {
    writeFileSync(join(h.folder, "a.png"), PICTURE);
    const snake = {
      ...ROLLOUT,
      action_speed_list: [1, 3],
      source_image: join(h.folder, "a.png"),
      speed: 0.5,
      seed: 7,
      fps: 12,
      output: join(h.folder, "one.mp4"),
    };
    const again = { ...camelKeys(snake), output: join(h.folder, "two.mp4") };
    const [one, two] = [await moveTo(h, "rollouts", snake), await moveTo(h, "rollouts", again)];
    const described = (
      { rollout_receipt: r }: typeof one,
    ) => [r!.action_seq, r!.action_speed_list, r!.latent_frame_count, r!.pixel_frame_count, r!.speed, r!.seed, r!.fps];
    assert.deepEqual(described(one), [["w", "l"], [1, 3], 6, 21, 0.5, 7, 12]);
    assert.deepEqual(described(two), described(one));
    assert.deepEqual(two.rollout_receipt!.terminal_world_pose, one.rollout_receipt!.terminal_world_pose);
  }));

function camelKeys(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [camel(name), value]));
}

// @row world-session > Transition > Defaults of an arworld
// @row world-session > Rollout > Defaults
test("a move takes what its request leaves out from the contract", () =>
  withWorld(async (h) => {
    const { prompt, camera } = transition("forward");
    const { receipt } = await moveTo(h, "transitions", { prompt, camera });
    assert.deepEqual([receipt!.width, receipt!.height, receipt!.fps, receipt!.seed], [512, 320, 24, 42]);
    assert.deepEqual([receipt!.effective!.num_frames, receipt!.effective!.seed], [21, 42]);
    await ok(h.call("POST", `${SESSION}/source`, UPLOAD));
    const body = { prompt, action_seq: ["w"] };
    const { rollout_receipt: short } = await moveTo(h, "rollouts", { ...body, num_output_frames: 3 });
    assert.deepEqual([short!.width, short!.height, short!.fps], [1280, 704, 16]);
    assert.deepEqual([short!.seed, short!.speed, short!.action_speed_list], [42, 1.5, [1]]);
    const begun = deferred();
    h.model.onGenerate = begun.resolve;
    h.model.gate = new Promise(() => {});
    const job = await ok(h.call("POST", `${SESSION}/rollouts`, { json: body }), 202);
    await begun.promise;
    assert.equal(h.session.job(job.job_id).record().progress!.totalSteps, 7 * 6, "21 latents are 7 blocks of 6 steps");
  }));

// @row world-session > Transition > Defaults of the model before those
// @row world-session > Rules of the world server > Geometry
test("a move takes size and rate from the model's own configuration before those of the contract", () =>
  withWorld(async (h) => {
    const { prompt, camera } = transition("forward");
    const { receipt } = await moveTo(h, "transitions", { prompt, camera });
    assert.deepEqual([receipt!.width, receipt!.height, receipt!.fps], [96, 64, 12]);
    const again = await moveTo(h, "rollouts", { prompt, action_seq: ["w"], num_output_frames: 3, fps: 5 });
    assert.deepEqual([again.rollout_receipt!.width, again.rollout_receipt!.fps], [96, 5]);
  }, { defaults: { width: 96, height: 64, fps: 12 } }));
