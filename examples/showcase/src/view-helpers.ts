/** Helper functions for all views. */

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** Each unit with its length in seconds, and how many of it are still counted. */
const UNITS = [
  ['min', 60, 60],
  ['h', 3600, 24],
  ['d', 86_400, 7],
] as const;

export const viewHelpers = {
  site: 'Crema',
  theme: undefined,
  user: undefined,
  elapsed: undefined,
  notice: undefined,
  origin: '',
  hasFleet: false,
  /** "22 Nov 2026, 16:05 UTC"; a script on the page converts it to local time. */
  when: (time: Date) => `${day.format(time)} UTC`,
  /** "now", "5 min", "3 h", "2 d", and dates after a week. */
  ago(time: Date) {
    const seconds = (Date.now() - time.getTime()) / 1000;
    if (seconds < 60) return 'now';
    for (const [unit, length, limit] of UNITS) {
      if (seconds < length * limit) return `${Math.floor(seconds / length)} ${unit}`;
    }
    return date.format(time);
  },
  /** Returns the first character of a name, and one of six colors for it. */
  avatar(name: string) {
    const characters = Array.from(name);
    const sum = characters.reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
    return { letter: characters[0]?.toUpperCase() ?? '?', hue: sum % 6 };
  },
};
