/** Assembles a document: OpenAPI 3.1.0, https://spec.openapis.org/oas/v3.1.0 */
import { isError } from '../../realms';
import { inspect } from 'node:util';
import { entriesOf } from '../../router/route-tree';
import type { JsonObject } from '../../types/description';
import type { OpenApiDocument, OpenApiOptions } from '../../types/openapi';
import type { StandardSchema } from '../../types/validation';
import { Components } from './components';
import { operationOf } from './operation';
import { operationsIn } from './operations';
import type { Route } from './operations';
import { templatesOf } from './path-template';
import type { Template } from './path-template';

/** The HTTP methods that OpenAPI allows for a path. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
/** The largest number of schemas that an error names. */
const MOST_LINES = 10;

/**
 * Describes the current routes of an application or a router. Schemas that cannot be converted accept any value.
 * @param report is called with an error that names each schema that cannot be converted, if there are any
 */
export function makeDocument(
  target: object,
  options: OpenApiOptions,
  report: (error: Error) => void,
): OpenApiDocument {
  return new Writer(options).write(operationsIn(entriesOf(target)!, options), report);
}

/** A route at one of its paths. */
interface Listed {
  route: Route;
  template: Template;
}

class Writer {
  private readonly components: Components;
  private readonly failures: { message: string; cause: unknown }[] = [];
  /** The operation ids, with the route of each. */
  private readonly operationIds = new Map<string, Route>();
  private readonly unlisted: NonNullable<OpenApiDocument['x-unlisted']> = [];

  constructor(private readonly options: OpenApiOptions) {
    this.components = new Components(options.toJSONSchema);
  }

  write(routes: readonly Route[], report: (error: Error) => void): OpenApiDocument {
    const listed = routes.flatMap(route => this.listedOf(route));
    const contracts = listed.flatMap(({ route }) => route.contracts);
    for (const schema of contracts.flatMap(({ schemas, responses }) => [
      ...schemas.body.slice(0, 1),
      ...responses.values(),
    ]))
      if (schema !== 'unchecked') this.components.count(schema);
    const paths = this.pathsOf(listed);
    if (this.failures.length > 0) report(failureOf(this.failures));
    const { info, servers, tags, security, securitySchemes, externalDocs, basePath } = this.options;
    const schemas = this.components.schemas.size > 0 ? this.components.schemas : undefined;
    const components = { schemas: schemas && Object.fromEntries(schemas), securitySchemes };
    const document = {
      openapi: '3.1.0',
      info,
      servers: servers ?? (basePath === undefined ? undefined : [{ url: basePath }]),
      tags,
      security,
      paths,
      components: (schemas ?? securitySchemes) ? components : undefined,
      externalDocs,
      'x-unlisted': this.unlisted.length > 0 ? this.unlisted : undefined,
    };
    // Leaves out undefined members, and copies the options so that the caller cannot change them through the document.
    return JSON.parse(JSON.stringify(document)) as OpenApiDocument;
  }

  /** Returns each path of a route that OpenAPI can express. */
  private listedOf(route: Route): Listed[] {
    const { basePath = '' } = this.options;
    const path = basePath === '' ? route.path : pathBelow(route.path, basePath);
    if (path === undefined) return [];
    const templates = templatesOfRoute(route, path);
    if (typeof templates !== 'string') return templates.map(template => ({ route, template }));
    this.leaveOut(route, templates);
    return [];
  }

  private leaveOut({ method, path }: Route, reason: string): void {
    this.unlisted.push({ method: method.toUpperCase(), path, reason });
  }

  /** Paths that differ only in their parameters' names are merged, with the names of the first one. */
  private pathsOf(listed: readonly Listed[]): OpenApiDocument['paths'] {
    const paths = new Map<string, { template: Template; operations: Map<string, JsonObject> }>();
    for (const { route, template } of listed) {
      const shape = template.path.replace(/\{\w+\}/g, '{}');
      let item = paths.get(shape);
      if (item === undefined) paths.set(shape, (item = { template, operations: new Map() }));
      if (item.operations.has(route.method)) {
        // A path with an optional parameter has several templates: a route is left out only if it has no other
        const isOnly = listed.every(other => other.route !== route || other.template === template);
        if (isOnly) this.leaveOut(route, `${item.template.path} is also the path of an earlier route`);
        continue;
      }
      item.operations.set(route.method, this.operation(route, renamed(template, item.template)));
    }
    const entries = [...paths.values()].map(({ template, operations }) => [
      template.path,
      Object.fromEntries(operations),
    ]);
    return Object.fromEntries(entries) as OpenApiDocument['paths'];
  }

  private operation(route: Route, template: Template): JsonObject {
    this.checkSecurity(route);
    return operationOf({
      route,
      template,
      operationId: this.operationId(route, template),
      options: this.options,
      components: this.components,
      attempt: (part, schema, act) => this.attempt(route, part, schema, act),
    });
  }

  private operationId(route: Route, { path }: Template): string {
    const { method, description, namedBy } = route;
    const wanted = description.operationId ?? method + wordsOf(path);
    const other = this.operationIds.get(wanted);
    if (other?.namedBy !== undefined && namedBy !== undefined && other.namedBy !== namedBy) {
      const message = `${nameOf(route)}: the operation id ${inspect(wanted)} is that of ${nameOf(other)}`;
      this.failures.push({ message, cause: undefined });
    }
    let id = wanted;
    for (let i = 2; this.operationIds.has(id); i++) id = `${wanted}${i}`;
    this.operationIds.set(id, route);
    return id;
  }

  private checkSecurity(route: Route): void {
    const { securitySchemes = {}, security = [] } = this.options;
    const names = (route.description.security ?? security).flatMap(Object.keys);
    const unknown = names.find(name => !Object.hasOwn(securitySchemes, name));
    if (unknown !== undefined) {
      const message = `${nameOf(route)}: the option securitySchemes lacks ${inspect(unknown)}`;
      this.failures.push({ message, cause: undefined });
    }
  }

  /** Collects failures, so that all of them are reported at once. */
  private attempt<T>(route: Route, part: string, schema: StandardSchema, act: () => T): T | undefined {
    try {
      return act();
    } catch (cause) {
      const { vendor } = schema['~standard'];
      const reason = isError(cause) ? cause.message : String(cause);
      const place = `${nameOf(route)}, ${part} (${vendor})`;
      this.failures.push({ message: `${place}: ${reason}`, cause });
      return undefined;
    }
  }
}

function nameOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${path}`;
}

function templatesOfRoute({ method, isText, readVariants }: Route, path: string): Template[] | string {
  if (!METHODS.includes(method)) return 'OpenAPI 3.1 does not support the method';
  return isText ? templatesOf(path, readVariants) : 'a regular expression';
}

/** Returns a path without its base path, or undefined if it is not below that. */
function pathBelow(path: string, base: string): string | undefined {
  if (path === base) return '/';
  return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined;
}

/** Returns a template with the parameter names of another one, by position. */
function renamed({ parameters }: Template, { path, parameters: others }: Template): Template {
  return {
    path,
    parameters: parameters.map((parameter, i) => ({ ...parameter, name: others[i]!.name })),
  };
}

/** Returns words for an operation id: `UsersById` for `/users/{id}`. */
function wordsOf(path: string): string {
  const words = path.replaceAll('{', ' by ').split(/[^A-Za-z0-9]+/);
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function failureOf(failures: readonly { message: string; cause: unknown }[]): Error {
  const lines = [...new Set(failures.map(({ message }) => `  ${message}`))];
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : [];
  const message = [
    "web.openApi() can't describe these. The option toJSONSchema converts what a library can't.",
    ...lines.slice(0, MOST_LINES),
    ...more,
  ].join('\n');
  return new Error(message, { cause: failures[0]!.cause });
}
