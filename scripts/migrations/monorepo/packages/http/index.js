/** Middleware that the applications share. */
exports.health = (req, res, next) => (req.path === '/health' ? res.json({ ok: true }) : next());
