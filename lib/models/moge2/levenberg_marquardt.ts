/**
 * Nonlinear least squares over one unknown.
 *
 * @module
 */

/** What a step of the search sees: the errors at a place, as sums over all of them. */
export interface Residuals {
  /** Sum of the squared errors. */
  readonly cost: number;
  /** Sum of error times slope. */
  readonly gradient: number;
  /** Sum of the squared slopes. */
  readonly curvature: number;
}

/** Maximum number of steps; the search takes about ten. */
const MAX_EVALUATIONS = 200;

/**
 * Share of the place below which a smaller step changes nothing, and cosine between errors and slopes that counts as 0.
 */
const PLACE_TOLERANCE = 1e-8;

/**
 * The Levenberg-Marquardt search in the form of Moré 1978 (the one of MINPACK): a trust region that starts wide, grows
 * and shrinks with how well the linear model foretold the cost. Returns the best place found.
 *
 * @param tolerance Ends the search when a step gains, and was foretold to gain, at most this share of the cost.
 */
export function levenbergMarquardt(evaluate: (place: number) => Residuals, start: number, tolerance: number): number {
  let place = start;
  let at = evaluate(place);
  let radius = 0;
  let scale = 0;
  let damping = 0;
  for (let evaluations = 1; evaluations < MAX_EVALUATIONS;) {
    const { cost, gradient, curvature } = at;
    const slope = Math.sqrt(curvature);
    if (!(Math.abs(gradient) > PLACE_TOLERANCE * slope * Math.sqrt(cost))) return place;
    if (evaluations === 1) radius = 100 * (slope * Math.abs(place) || 1);
    scale = Math.max(scale, slope);
    let ratio = 0;
    while (ratio < 1e-4 && evaluations < MAX_EVALUATIONS) {
      damping = dampingFor(gradient, curvature, scale, radius, damping);
      const step = -gradient / (curvature + damping * scale * scale);
      const reach = Math.abs(scale * step);
      if (evaluations === 1) radius = Math.min(radius, reach);
      const next = evaluate(place + step);
      evaluations++;
      const gained = next.cost < 100 * cost ? 1 - next.cost / cost : -1;
      const linear = curvature * step * step / cost;
      const damped = damping * reach * reach / cost;
      const foretold = linear + 2 * damped;
      ratio = foretold === 0 ? 0 : gained / foretold;
      if (ratio <= 0.25) {
        const descent = -(linear + damped);
        const fitted = gained >= 0 ? 0.5 : 0.5 * descent / (descent + 0.5 * gained);
        const shrink = next.cost >= 100 * cost || !(fitted >= 0.1) ? 0.1 : fitted;
        radius = shrink * Math.min(radius, 10 * reach);
        damping /= shrink;
      } else if (damping === 0 || ratio >= 0.75) {
        radius = 2 * reach;
        damping /= 2;
      }
      if (ratio >= 1e-4) {
        place += step;
        at = next;
      }
      if (Math.abs(gained) <= tolerance && foretold <= tolerance && ratio <= 2) return place;
      if (radius <= PLACE_TOLERANCE * Math.abs(scale * place) || radius === 0) return place;
    }
  }
  return place;
}

/** Damping that keeps a step within a tenth of the radius, none where the free step does already. */
function dampingFor(gradient: number, curvature: number, scale: number, radius: number, before: number): number {
  const size = (damping: number) => Math.abs(scale * gradient) / (curvature + damping * scale * scale);
  const beyond = size(0) - radius;
  if (beyond <= 0.1 * radius) return 0;
  const inverse = (damping: number) => scale * scale / (curvature + damping * scale * scale);
  let low = beyond / radius / inverse(0);
  let high = Math.abs(gradient) / scale / radius;
  let damping = Math.min(Math.max(before, low), high) || Math.abs(gradient) / scale / size(0);
  for (let i = 0; i < 10; i++) {
    const excess = size(damping) - radius;
    if (Math.abs(excess) <= 0.1 * radius) break;
    if (excess > 0) low = Math.max(low, damping);
    else high = Math.min(high, damping);
    damping = Math.max(low, damping + excess / radius / inverse(damping));
  }
  return damping;
}
