#!/usr/bin/env node
// Entry as a plugin of kubectl: `kubectl ipamctl ...` runs a program of this name.
'use strict';
require('./run.js');
