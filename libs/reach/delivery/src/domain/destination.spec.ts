import { destinationText, readDestination } from './destination.js';

describe('a destination', () => {
  it.each(['slack:C012:subject', 'email:ops@example.com:thread', 'email:a:b@example.com:requester'])(
    'is read as it was written: %s',
    (text) => {
      expect(destinationText(readDestination(text))).toBe(text);
    },
  );

  it.each(['', 'slack:C012', 'slack::subject', 'slack:C012:all', `slack:${'C'.repeat(255)}:subject`])(
    'is refused if it lacks a part: "%s"',
    (text) => {
      expect(() => readDestination(text)).toThrow('is no destination');
    },
  );
});
