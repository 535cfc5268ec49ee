/** Helper functions for all views. */

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

export const viewHelpers = {
  site: 'Crema',
  theme: undefined,
  user: undefined,
  elapsed: undefined,
  /** "22 Nov 2026, 16:05 UTC"; a script on the page converts it to local time. */
  when: (date: Date) => `${day.format(date)} UTC`,
  /** Returns the first character of a name, and one of six colors for it. */
  avatar(name: string) {
    const characters = Array.from(name);
    const sum = characters.reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
    return { letter: characters[0]?.toUpperCase() ?? '?', hue: sum % 6 };
  },
};
