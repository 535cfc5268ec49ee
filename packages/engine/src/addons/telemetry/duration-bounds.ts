/** The upper bounds of the buckets of request durations, in seconds, as OpenTelemetry's conventions for HTTP advise. */
export const DURATION_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
