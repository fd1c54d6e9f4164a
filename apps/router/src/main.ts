#!/usr/bin/env node
import { routerProgram } from './router-program.js';

void routerProgram({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).parseAsync();
