#!/usr/bin/env node
import { routerProgram } from './router-program.js';

await routerProgram({
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).parseAsync();
