// What report.json holds, as far as the script reads it.

export type Scale = { Linear: [number, number] } | { Log: [number, number] };

export interface Line {
  /** Place of its name in the chart's series; larger than all of these for what a paper gives. */
  series: number;
  points: [number, number][];
  band: [number, number, number][];
  parts: [number, number][][];
}

export interface Panel {
  y: string;
  scale: Scale;
  lines: Line[];
}

export interface Chart {
  title: string;
  x: string;
  range: Scale;
  dates: [number, string][];
  panels: Panel[];
  series: string[];
}

export interface Mark {
  series: number;
  lane: number;
  from: number;
  to: number;
  shape: { Bar: string } | { Dot: number };
}

export interface Rows {
  title: string;
  x: string;
  rows: { name: string; marks: Mark[] }[];
  series: string[];
}

export interface Heat {
  title: string;
  x: string;
  y: string;
  columns: string[];
  rows: string[];
  cells: (number | null)[][];
  intervals?: ([number, number] | null)[][];
}

export interface Plane {
  title: string;
  series: string[];
  ways: [number, [number, number][]][];
}

export type Picture = { chart: Chart } | { rows: Rows } | { heat: Heat } | { plane: Plane };

export interface Clock {
  counts_seconds: boolean;
  start: number | null;
}

export interface Page {
  pictures: { name: string; picture: Picture }[];
}

/** The ends of an axis, and whether it is logarithmic. */
export function ends(scale: Scale): [number, number, boolean] {
  return "Log" in scale ? [...scale.Log, true] : [...scale.Linear, false];
}

/** A new element with properties and children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A colour of the page, by the name of its custom property. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Colours of series: those of the pictures. */
const COLOURS = [
  "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9",
  "#e69f00", "#60449c", "#785e3c", "#464646", "#969696",
];

/** The colour of a series among so many; what a paper gives has the colour of text. */
export function ofSeries(series: number, names: number): string {
  if (series >= names && names > 0) return colour("--ink");
  return COLOURS[Math.min(series, COLOURS.length - 1)];
}

/** A number with at most four digits that count. */
export function figure(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e9)) return value.toExponential(3);
  return value.toLocaleString("en", { maximumSignificantDigits: Math.abs(value) < 1e4 ? 4 : 9 })
    .replaceAll(",", " ");
}

/** A span of time: `1 h 47 min`, or a plain number where a unit is no second. */
export function lasting(span: number, isSeconds: boolean): string {
  if (!isSeconds) return figure(span);
  const units: [string, number][] = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const at = units.findIndex(([, length]) => Math.abs(span) >= length);
  if (at < 0 || at === 3) return `${figure(span)} s`;
  const [[name, length], [small, step]] = [units[at], units[at + 1]];
  const steps = Math.round(span / step);
  const [whole, rest] = [Math.trunc((steps * step) / length), steps % (length / step)];
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${Math.abs(rest)} ${small}`;
}

/** A moment in seconds since 1970, in UTC. */
export function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? figure(seconds) : date.toISOString().slice(0, 19).replace("T", " ");
}

/** Bytes that the program deflated, as they stand in the page. */
export function inflated(text: string): Response {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}
