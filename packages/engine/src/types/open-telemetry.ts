/** The options of `web.openTelemetry`, and what it returns. */

/** What is reported to OpenTelemetry. */
export interface OpenTelemetryOptions {
  /** The package `@opentelemetry/api`. @default the one that the application depends on */
  api?: object | undefined;
  /** Whether each call of middleware, routers and route handlers has a span, too. @default true */
  handlers?: boolean | undefined;
}

/** The connection to OpenTelemetry. */
export interface OpenTelemetryBridge {
  /** Reports nothing from now on. */
  close(): void;
}
