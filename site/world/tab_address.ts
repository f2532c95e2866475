/** The address that requests to the world in a tab carry; they reach its worker as messages and never a network. */
export const IN_TAB = "http://127.0.0.1";
