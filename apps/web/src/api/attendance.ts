const ATTENDED_MS = 60_000;
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

let touchedAt = performance.now();

for (const input of INPUTS) {
  addEventListener(
    input,
    () => {
      touchedAt = performance.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether somebody has touched the page within the last minute. */
export const isAttended = (): boolean => performance.now() - touchedAt < ATTENDED_MS;
