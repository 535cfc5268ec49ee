/** The schema that validates requests in the scenario with zod: the same for all frameworks. */
const { z } = require('zod');

module.exports = z.object({
  users: z.array(z.object({ id: z.number().int(), name: z.string(), email: z.email(), active: z.boolean() })),
});
