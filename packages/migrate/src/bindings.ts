/** Finds out what a name means in code: a parameter, as of handlers, or a variable of the program, as of `fetch`. */
import { isDot } from './tokens';
import type { Token } from './tokens';

/** The code in which a name has one meaning, by the indexes of its tokens. */
interface Scope {
  from: number;
  to: number;
  isOther: boolean;
}

const DECLARES = /^(?:const|let|var)$/;
/** What comes before a parenthesis that is followed by a block, and is not a list of parameters. */
const STATEMENT = /^(?:if|while|for|switch|with)$/;
/** What a value begins with that is neither a parameter nor a member of something. */
const CREATES = /^(?:require|await|new|async|function|\{|\[)$/;
/** Calls that return the request or the response, as in Nest. */
const RETURNS = /^get(?:Request|Response|Req|Res)$/i;

export class Bindings {
  private readonly scopes = new Map<string, Scope[]>();

  constructor(private readonly tokens: readonly Token[]) {}

  /** Whether a name is something else than the request or the response of a handler. @param at the index of a token */
  isOther(name: string, at: number): boolean {
    let scopes = this.scopes.get(name);
    if (scopes === undefined) this.scopes.set(name, (scopes = [...this.scopesOf(name)]));
    const around = scopes.filter(({ from, to }) => from <= at && at < to);
    return around.reduce((inner, each) => (each.from >= inner.from ? each : inner), OPEN).isOther;
  }

  private *scopesOf(name: string): Generator<Scope> {
    const { tokens } = this;
    for (const [at, token] of tokens.entries()) {
      if (token.text !== name || isDot(tokens[at - 1])) continue;
      const before = tokens[at - 1]?.text ?? '';
      const after = tokens[at + 1]?.text;
      if (after === '=>') {
        yield { ...this.bodyOf(at, at), isOther: false };
        continue;
      }
      const outer = this.enclosing(at);
      const opener = tokens[outer]?.text;
      const beforeOpener = tokens[outer - 1]?.text ?? '';
      if (DECLARES.test(before)) yield { ...this.block(at), isOther: this.isForeign(at + 1) };
      else if (before === 'import' || (before === 'as' && tokens[at + 1]?.text === 'from')) yield WHOLE;
      else if (opener === '{' && beforeOpener === 'import') yield WHOLE;
      else if (opener === '{' && DECLARES.test(beforeOpener) && after !== ':')
        yield { ...this.block(outer - 1), isOther: this.isForeign(tokens[outer]!.partner! + 1) };
      else if (opener === '(' && !STATEMENT.test(beforeOpener) && (before === '(' || before === ',')) {
        const close = tokens[outer]!.partner!;
        // A type may follow, as in `(req: Request): void => …`
        const next = tokens[close + 1]?.text ?? '';
        if (/^(?:=>|\{|:)$/.test(next)) yield { ...this.bodyOf(outer, close), isOther: false };
      }
    }
  }

  /** Returns the index of the innermost bracket around a token; -1 if there is none. */
  private enclosing(at: number): number {
    let i = at - 1;
    while (i >= 0) {
      const { partner } = this.tokens[i]!;
      if (partner !== undefined && partner > i) return i;
      i = (partner ?? i) - 1;
    }
    return -1;
  }

  /** Returns the block in which a declaration applies. */
  private block(at: number): Pick<Scope, 'from' | 'to'> {
    let outer = this.enclosing(at);
    while (outer >= 0 && this.tokens[outer]!.text !== '{') outer = this.enclosing(outer);
    return outer < 0
      ? { from: 0, to: this.tokens.length }
      : { from: outer, to: this.tokens[outer]!.partner! };
  }

  /** Returns the parameters and the body of a function. @param close the last token of the parameters */
  private bodyOf(open: number, close: number): Pick<Scope, 'from' | 'to'> {
    const { tokens } = this;
    const outer = this.enclosing(open);
    const end = outer < 0 ? tokens.length : tokens[outer]!.partner!;
    let at = close + 1;
    while (at < end && tokens[at]!.text !== '{' && tokens[at]!.text !== '=>') at++;
    if (tokens[at]?.text === '=>') at++;
    if (tokens[at]?.text === '{') return { from: open, to: tokens[at]!.partner! };
    while (at < end && !/^[;,]$/.test(tokens[at]!.text)) at = behind(tokens[at]!, at);
    return { from: open, to: at };
  }

  /** Whether the value of a variable is created or returned by a call. @param at the index of what follows the name */
  private isForeign(at: number): boolean {
    const { tokens } = this;
    let i = at;
    // As in `const res: Response = …`
    if (tokens[i]?.text === ':') while (i < tokens.length && !/^(?:=|;|of|in)$/.test(tokens[i]!.text)) i++;
    if (tokens[i]?.text !== '=') return true;
    i++;
    if (CREATES.test(tokens[i]?.text ?? '')) return true;
    let called: string | undefined;
    let name: string | undefined;
    for (const start = i; i < tokens.length; i = behind(tokens[i]!, i)) {
      const token = tokens[i]!;
      if (/^[;,]$/.test(token.text) || (i > start && token.isFirst && !isDot(token))) break;
      // A type may stand between the name and its arguments, as in `getResponse<Response>()`
      if (token.kind === 'name' && tokens[i - 1]?.text !== '<') name = token.text;
      if (token.text === '(') called = name;
    }
    return called !== undefined && !RETURNS.test(called);
  }
}

/** Returns the index after a token, or after what is in its brackets. */
function behind({ partner = -1 }: Token, at: number): number {
  return Math.max(at, partner) + 1;
}

const OPEN: Scope = { from: -1, to: Infinity, isOther: false };
const WHOLE: Scope = { from: 0, to: Infinity, isOther: true };
