module.exports = require('express');
