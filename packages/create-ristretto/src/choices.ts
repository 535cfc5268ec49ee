/** The choices of the user, with the default first. */
export const CHOICES = {
  language: {
    question: 'Language',
    values: { ts: 'TypeScript', js: 'JavaScript' },
  },
  template: {
    question: 'What do you want to create?',
    values: { api: 'A JSON API', pages: 'Pages rendered on the server, with EJS' },
  },
} as const;

export type Choice = keyof typeof CHOICES;
export type Value<C extends Choice> = keyof (typeof CHOICES)[C]['values'] & string;

/** The choices that an application is created from. */
export interface Answers {
  /** The directory, absolute or relative to the working directory. */
  directory: string;
  /** The name in package.json. */
  name: string;
  language: Value<'language'>;
  template: Value<'template'>;
}

/** Returns the values of a choice, with the default first. */
export function valuesOf<C extends Choice>(choice: C): Value<C>[] {
  return Object.keys(CHOICES[choice].values) as Value<C>[];
}

/** Returns the value that a text names, or `undefined`. */
export function valueNamed<C extends Choice>(choice: C, text: string): Value<C> | undefined {
  return valuesOf(choice).find(value => value === text.toLowerCase());
}
