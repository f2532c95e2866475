import assert from "node:assert/strict";
import { test } from "node:test";
import { readImageRecipe } from "../../../../lib/engines/onnx_text/vision/vision_layout.ts";

test("readImageRecipe() reads the configuration of a CLIP encoder", () => {
  const recipe = readImageRecipe({
    do_resize: true,
    size: { shortest_edge: 336 },
    do_center_crop: true,
    crop_size: { height: 336, width: 336 },
    resample: 3,
    do_rescale: true,
    rescale_factor: 0.00392156862745098,
    do_normalize: true,
    image_mean: [0.48, 0.46, 0.41],
    image_std: [0.27, 0.26, 0.28],
  }, false);
  assert.deepEqual(recipe, {
    size: { shortest: 336, longest: undefined },
    crop: { width: 336, height: 336 },
    tile: undefined,
    kernel: "cubic",
    scale: 0.00392156862745098,
    mean: [0.48, 0.46, 0.41],
    std: [0.27, 0.26, 0.28],
  });
});

test("readImageRecipe() reads the configuration of SmolVLM", () => {
  const recipe = readImageRecipe({
    size: { longest_edge: 2048 },
    max_image_size: { longest_edge: 512 },
    resample: 1,
    image_mean: [0.5, 0.5, 0.5],
    image_std: [0.5, 0.5, 0.5],
  }, true);
  assert.equal(recipe.tile, 512);
  assert.equal(recipe.kernel, "lanczos");
  assert.deepEqual(recipe.size, { shortest: undefined, longest: 2048 });
});

test("readImageRecipe() leaves out what is switched off", () => {
  const off = { do_resize: false, do_rescale: false, do_normalize: false, do_center_crop: false, crop_size: 9 };
  const { size, crop, scale, mean, std } = readImageRecipe(off, false);
  assert.deepEqual({ size, crop, scale, mean, std }, {
    size: undefined,
    crop: undefined,
    scale: 1,
    mean: [0, 0, 0],
    std: [1, 1, 1],
  });
  assert.deepEqual(readImageRecipe({ size: 224 }, false).size, { width: 224, height: 224 });
});

test("readImageRecipe() names what it cannot use", () => {
  const refused = (config: Record<string, unknown>, message: RegExp, tiled = false) =>
    assert.throws(() => readImageRecipe(config, tiled), { message });
  refused(
    { size: { height: 1e9, width: 3 } },
    /size\.height is 1000000000, expected an integer from 1 to 8192$/,
  );
  refused({ size: { shortest_edge: "a" } }, /size\.shortest_edge is "a"/);
  refused({}, /^Cannot use preprocessor_config\.json: size is undefined/);
  refused({ size: 8, image_mean: [1, 2] }, /image_mean is \[1,2\], expected three numbers$/);
  refused({ size: 8, do_center_crop: true }, /crop_size is undefined/);
  refused({ size: 8 }, /max_image_size is undefined, expected an object with longest_edge$/, true);
});
