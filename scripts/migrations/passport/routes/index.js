const express = require('express');

const router = express.Router();

router.get('/', (req, res) => res.render('index', { user: req.user }));

router.get('/private', (req, res) => {
  if (!req.isAuthenticated()) return res.redirect('/login');
  res.json({ user: req.user.username });
});

router.get('/back', (req, res) => res.redirect('back'));

module.exports = router;
