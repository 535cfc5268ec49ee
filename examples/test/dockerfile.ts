/**
 * Carries out a Dockerfile in folders of this machine, for systems without Docker: the root of each stage is a folder.
 * `COPY` copies only what the ignore file allows. Images and users are not emulated.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DockerfileParser, type Instruction } from 'dockerfile-ast';

export interface Stage {
  /** The folder that represents `/`. */
  root: string;
  /** The working directory, as in the image. */
  workdir: string;
  env: Record<string, string>;
  user?: string;
  volumes: string[];
  /** The programs that `CMD` and `HEALTHCHECK` start. */
  command: string[];
  check: string[];
}

/** Returns the words after an instruction, without its options. */
const values = (instruction: Instruction) => instruction.getArguments().map(argument => argument.getValue());
/** Returns the array of strings after an instruction. */
const json = (instruction: Instruction) =>
  JSON.parse(/\[.*\]/.exec(instruction.getArgumentsContent() ?? '')![0]) as string[];

interface WithFlags extends Instruction {
  getFlags(): { getName(): string; getValue(): string | null }[];
}
const optionOf = (instruction: Instruction, name: string) =>
  (instruction as WithFlags)
    .getFlags()
    .find(flag => flag.getName() === name)
    ?.getValue();

/**
 * Returns a function that checks whether a file is part of the context: the last pattern that matches it, or a folder
 * above it, decides.
 */
export function contextFilter(ignoreFile: string): (file: string) => boolean {
  const rules = ignoreFile
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const pattern = line
        .replace(/^!/, '')
        .replace(/[.+^$()|[\]\\]/g, '\\$&')
        .replaceAll('**/', '(?:[^/]+/)\u0000')
        .replaceAll('*', '[^/]*')
        .replaceAll('\u0000', '*');
      return { includes: line.startsWith('!'), pattern: new RegExp(`^${pattern}(?:/|$)`) };
    });
  return file => rules.findLast(({ pattern }) => pattern.test(file))?.includes ?? true;
}

/** Returns every file of the repository that is part of the context. */
function contextFiles(home: string, isIncluded: (file: string) => boolean): string[] {
  const found: string[] = [];
  const visit = (folder: string) => {
    for (const entry of fs.readdirSync(path.join(home, folder), { withFileTypes: true })) {
      const file = path.posix.join(folder, entry.name);
      if (entry.name === 'node_modules' || entry.name === '.git') continue;
      if (entry.isDirectory()) visit(file);
      else if (isIncluded(file)) found.push(file);
    }
  };
  visit('');
  return found;
}

/** Returns the files that a name with `*` stands for. */
function matching(from: string, source: string): string[] {
  if (!source.includes('*')) return [source];
  const [start = '', end = ''] = source.split('*');
  return fs.readdirSync(from).filter(name => name.startsWith(start) && name.endsWith(end));
}

/** Copies as `COPY` does: a folder's content, or a file, which keeps its name if the target ends in a slash. */
function copy(from: string, sources: string[], target: string): void {
  for (const source of sources.flatMap(source => matching(from, source))) {
    const file = path.join(from, source);
    const isInto = target.endsWith('/') && fs.statSync(file).isFile();
    const place = isInto ? path.join(target, path.basename(source)) : target;
    fs.cpSync(file, place, { recursive: true, verbatimSymlinks: true });
  }
}

/**
 * Carries out a Dockerfile.
 *
 * @param home the context
 * @param to the folder in which the folders of the stages are created
 * @param replacements functions that replace commands of `RUN` that this machine cannot run; they get the working
 * directory
 * @returns the last stage
 */
export function emulate(
  { text, ignore }: { text: string; ignore: string },
  home: string,
  to: string,
  replacements: Map<string, (workdir: string, root: string) => void>,
): Stage {
  const context = path.join(to, 'context');
  for (const file of contextFiles(home, contextFilter(ignore))) {
    fs.mkdirSync(path.dirname(path.join(context, file)), { recursive: true });
    fs.copyFileSync(path.join(home, file), path.join(context, file));
  }
  const stages = new Map<string, Stage>();
  let stage!: Stage;
  const carryOut: Record<string, (instruction: Instruction) => void> = {
    FROM(instruction) {
      const name = values(instruction)[2] ?? 'last';
      const root = path.join(to, `stage-${name}`);
      stage = { root, workdir: '/', env: {}, volumes: [], command: [], check: [] };
      fs.mkdirSync(root);
      stages.set(name, stage);
    },
    WORKDIR(instruction) {
      stage.workdir = path.posix.resolve(stage.workdir, ...values(instruction));
      fs.mkdirSync(path.join(stage.root, stage.workdir), { recursive: true });
    },
    ENV(instruction) {
      Object.assign(stage.env, Object.fromEntries(values(instruction).map(value => value.split('=', 2))));
    },
    COPY(instruction) {
      const from = optionOf(instruction, 'from');
      const sources = values(instruction);
      const target = sources.pop()!;
      // A trailing slash marks the target as a folder, so it is kept.
      const place = path.join(stage.root, stage.workdir) + path.sep + target;
      copy(from ? stages.get(from)!.root : context, sources, place);
    },
    RUN(instruction) {
      const command = values(instruction).join(' ');
      const workdir = path.join(stage.root, stage.workdir);
      const replacement = replacements.get(command);
      if (replacement) replacement(workdir, stage.root);
      else
        execFileSync('sh', ['-c', command], {
          cwd: workdir,
          env: { ...process.env, ...stage.env },
          stdio: 'pipe',
        });
    },
    USER: instruction => ([stage.user] = values(instruction)),
    VOLUME: instruction => stage.volumes.push(...values(instruction)),
    ARG: () => undefined,
    EXPOSE: () => undefined,
    HEALTHCHECK: instruction => (stage.check = json(instruction)),
    CMD: instruction => (stage.command = json(instruction)),
  };
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const keyword = instruction.getKeyword();
    const how = carryOut[keyword];
    if (!how) throw new Error(`${keyword} is not emulated`);
    how(instruction);
  }
  return stage;
}
