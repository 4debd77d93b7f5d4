process.env['PARLEY_WINDOW'] = '1';
