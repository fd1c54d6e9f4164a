import type { Inspect } from '../inspection.js';

/** Devices to which nothing is lost. */
const HARMLESS = /^of=\/+dev\/+(?:null|stdout|stderr|fd\/\d+|pts\/\d+|tty)$/;
const TO_DEVICE = /^of=\/+(?:dev|proc|sys)\//;
const ENDLESS = /^if=\/+dev\/+(?:zero|u?random|full)$/;

/** `dd` writes; to a device, or out of a source without end, it destroys, and ADR-007 always denies it. */
export const dd: Inspect = (words) => {
  const textOf = (word: (typeof words)[number]): string => word.value ?? word.prefix;
  const output = words.find((word) => textOf(word).startsWith('of='));
  if (output && HARMLESS.test(textOf(output))) return [];
  const at = words.find((word) => TO_DEVICE.test(textOf(word)) || ENDLESS.test(textOf(word)));
  if (!at) return [];
  return [
    { kind: 'effect', class: 'DESTRUCTIVE', tier: 3, code: 'shell.overwrites_device', does: 'overwrites a device', at },
  ];
};
