/** Parses and validates the command line. */
import { parseArgs } from 'node:util';
import { CHOICES, valueNamed, valuesOf } from './choices';
import type { Answers, Choice, Value } from './choices';
import { checkName } from './names';
import { UsageError } from './usage-error';

/** The options on the command line; missing ones are undefined. */
export interface Options extends Partial<Answers> {
  /** Whether to use the defaults for missing options. */
  yes: boolean;
  /** Whether the application takes the packages from this checkout. */
  isLocal: boolean;
  /** What to print instead of creating an application. */
  print?: 'help' | 'version' | undefined;
}

export const HELP = `Creates an application for ristretto.

  npm create ristretto@latest [directory] -- [options]

  -l, --language ts|js         ${Object.values(CHOICES.language.values).join(' or ')}; ts by default
  -t, --template api|pages     ${Object.values(CHOICES.template.values).join(', or ')}; api by default
  -n, --name NAME              the name in package.json; the directory's name by default
      --local                  takes the packages from the checkout that this program is in, not from npm
  -y, --yes                    uses the defaults for missing options, and asks no questions
  -h, --help                   prints this
  -v, --version                prints the version
`;

const FLAGS = {
  language: { type: 'string', short: 'l' },
  template: { type: 'string', short: 't' },
  name: { type: 'string', short: 'n' },
  local: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/**
 * Parses the arguments.
 * @throws UsageError for an unknown option, an invalid value, or more than one directory
 */
export function parseOptions(args: string[]): Options {
  const { values, positionals } = parse(args);
  const [directory, surplus] = positionals;
  if (surplus !== undefined) {
    throw new UsageError(`Expected one directory, got ${positionals.map(text => `"${text}"`).join(' and ')}`);
  }
  if (directory === '') throw new UsageError('Expected a directory, got an empty name');
  return {
    directory,
    name: values.name === undefined ? undefined : checkName(values.name, '--name'),
    language: chosen('language', values.language),
    template: chosen('template', values.template),
    yes: values.yes ?? false,
    isLocal: values.local ?? false,
    print: values.help ? 'help' : values.version ? 'version' : undefined,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true });
  } catch (error) {
    // Node's hint about arguments that start with a hyphen does not apply to this program.
    const [message] = (error as Error).message.split('. ');
    throw new UsageError(
      `${message!}. The options are: ${Object.keys(FLAGS)
        .map(flag => `--${flag}`)
        .join(', ')}`,
    );
  }
}

function chosen<C extends Choice>(choice: C, text: string | undefined): Value<C> | undefined {
  if (text === undefined) return undefined;
  const value = valueNamed(choice, text);
  if (value !== undefined) return value;
  throw new UsageError(`Expected --${choice} to be ${valuesOf(choice).join(' or ')}, got "${text}"`);
}
