/** Middleware shared by the applications. */
exports.health = (req, res, next) => (req.path === '/health' ? res.json({ ok: true }) : next());
