/**
 * The text formats of Prometheus 0.0.4 and OpenMetrics 1.0.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 * @see https://prometheus.io/docs/specs/om/open_metrics_spec/
 */

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  /** What follows the name of the family, such as `_bucket`. */
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

/** Metrics of one name. Names of counters are without `_total`, which the formats place differently. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const PROMETHEUS = 'text/plain; version=0.0.4; charset=utf-8';
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Returns the name under which Prometheus knows a family. */
export function familyName({ name, type }: Pick<Family, 'name' | 'type'>): string {
  return type === 'counter' ? `${name}_total` : name;
}

/** Returns families as text, without the line that ends OpenMetrics. */
export function formatFamilies(families: readonly Family[], isOpenMetrics: boolean): string {
  let text = '';
  for (const family of families) {
    const { type, help, samples } = family;
    const name = isOpenMetrics ? family.name : familyName(family);
    text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    for (const { suffix = '', labels, value } of samples) {
      text += `${familyName(family)}${suffix}${formatLabels(labels)} ${formatNumber(value)}\n`;
    }
  }
  return text;
}

function formatLabels(labels: Labels | undefined): string {
  if (labels === undefined) return '';
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return /["\\\n]/.test(value)
    ? value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
    : value;
}

export function formatNumber(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
