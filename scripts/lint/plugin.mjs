// Parley's own lint rules, for .oxlintrc.json.
import { fileNames } from './fileNames.mjs';
import { layers } from './layers.mjs';
import { interfaceNames, noBarrels, oneDoor } from './syntax.mjs';
import { words } from './words.mjs';

export default {
  meta: { name: 'parley' },
  rules: { fileNames, interfaceNames, layers, noBarrels, oneDoor, words },
};
