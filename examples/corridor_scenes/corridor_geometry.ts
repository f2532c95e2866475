/**
 * Sizes of all corridors, in the world's units.
 *
 * @module
 */

/** Half the width and half the height; the camera walks at half height. */
export const HALF_WIDTH = 1.5;
export const HALF_HEIGHT = 1;

/** How near to a wall one can walk. */
export const MARGIN = 0.4;

/** Distance from door to door along z, and where the first one is on either side. */
export const DOOR_PERIOD = 3;
export const LEFT_DOOR = 0;
export const RIGHT_DOOR = 1.5;
export const DOOR_HEIGHT = 1.5;
export const DOOR_HALF_WIDTH = 0.55;

/** Distance from wall panel to wall panel along z. */
export const PANEL_PERIOD = 0.75;

/** Share of the light that fog takes per unit, as the exponent of e. */
export const FOG_DENSITY = 0.13;
