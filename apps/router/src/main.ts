#!/usr/bin/env node
import { routerProgram } from './router-program.js';

await routerProgram((text) => process.stdout.write(text)).parseAsync();
