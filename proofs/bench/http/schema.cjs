/** The schema of the scenarios with zod: the same for all frameworks. Compiled, it takes less than half of the time. */
const { z } = require('zod');

module.exports = z.compile(
  z.object({
    users: z.array(
      z.object({ id: z.number().int(), name: z.string(), email: z.email(), active: z.boolean() }),
    ),
  }),
);
