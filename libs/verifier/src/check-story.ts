import type { Pack } from './pack-shape.js';
import type { Refuse } from './verify-pack.js';
export function checkStory(_pack: Pack, _refuse: Refuse): string[] { return []; }
