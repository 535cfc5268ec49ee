/** What there is to choose from, with the default first. */
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

/** What an application is created from. */
export interface Answers {
  /** Where, relative to the working directory or absolute. */
  directory: string;
  /** The name in package.json. */
  name: string;
  language: Value<'language'>;
  template: Value<'template'>;
}

/** The values of a choice, with the default first. */
export function valuesOf<C extends Choice>(choice: C): Value<C>[] {
  return Object.keys(CHOICES[choice].values) as Value<C>[];
}

/** The value that a text names, or undefined. */
export function valueNamed<C extends Choice>(choice: C, text: string): Value<C> | undefined {
  return valuesOf(choice).find(value => value === text.toLowerCase());
}
