  if params.hasResidual != 0u && isFirst {
    for (var i = 0u; i < 4u; i++) {
      values[i] += f32(residual[at + placeOfPixel(slab, min(column + i, pixels - 1u))]);
    }
  }
  values = activate(params.activation, values);
  for (var i = 0u; i < 4u; i++) {
    if column + i < pixels {
      output[at + placeOfPixel(slab, column + i)] = result(values[i]);
    }
  }
