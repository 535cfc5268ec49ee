/** The schema that requests of the scenario with zod are checked by: the same for all. */
const { z } = require('zod');

module.exports = z.object({
  users: z.array(z.object({ id: z.number().int(), name: z.string(), email: z.email(), active: z.boolean() })),
});
