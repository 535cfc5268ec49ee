require('./app').listen(process.env.PORT || 3000);
