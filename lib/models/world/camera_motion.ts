/** The kinds of camera move. */
export type CameraMotion =
  | "hold"
  | "forward"
  | "backward"
  | "strafeLeft"
  | "strafeRight"
  | "yawLeft"
  | "yawRight"
  | "custom";
