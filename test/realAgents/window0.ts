process.env['PARLEY_WINDOW'] = '0';
