/** Returns a check that asks for a path, and compares the response. */
export const gets = (name, path, expected) => ({ name, ask: ({ get }) => get(path), expected });
