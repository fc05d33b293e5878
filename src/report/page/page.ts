// Makes report.html live: charts that zoom, tables that sort, jobs, downloads and the choice of colours.

import "uplot/dist/uPlot.min.css";
import "./page.css";
import { live } from "./chart";
import { buttons } from "./download";
import { gantt } from "./gantt";
import { type Page, type Panel, element, inflated } from "./shapes";

/** What draws anew when colours change. */
const redraws: (() => void)[] = [];

/** What an element of data holds. */
const data = (id: string): string => document.getElementById(id)?.textContent ?? "";

/** True if every line goes from left to right: others, as ways in a plane, stay as they are. */
function isFunction(panel: Panel): boolean {
  const ascends = (points: [number, number][]): boolean => points.every(([x], at) => at === 0 || x >= points[at - 1][0]);
  return panel.lines.every((line) => ascends(line.points) && line.parts.every(ascends));
}

function figures(page: Page): void {
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-picture]")) {
    const named = page.pictures[Number(figure.dataset.picture)];
    const still = figure.querySelector<HTMLElement>(".still");
    if (!named || !still) continue;
    if ("chart" in named.picture && named.picture.chart.panels.every(isFunction)) {
      const box = element("div", { className: "live" });
      still.before(box);
      figure.classList.add("is-live");
      redraws.push(live(named.picture.chart, box));
    }
    figure.append(buttons(named.name, still, named.picture));
  }
}

/** Seconds in a unit of time. */
const UNITS: Record<string, number> = { d: 86400, h: 3600, min: 60, s: 1 };

/** A number as it is written for people, a time in seconds (`-1 h 47 min`), or NaN. */
function amount(text: string): number {
  const [mean] = text.replace("−", "-").split("±");
  const number = (digits: string): number => parseFloat(digits.replaceAll(/\s/g, ""));
  const times = [...mean.matchAll(/(\d[\d\s]*(?:\.\d+)?)\s(d|h|min|s)\b/g)];
  if (times.length === 0) return number(mean.replaceAll(/\s(?=\d)/g, ""));
  const seconds = times.reduce((sum, [, digits, unit]) => sum + number(digits) * UNITS[unit], 0);
  return mean.trim().startsWith("-") ? -seconds : seconds;
}

/** Lets a click on a heading sort the rows of its table. */
function sortable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  if (!body || body.rows.length < 3) return;
  [...(table.tHead?.rows[0]?.cells ?? [])].forEach((head, column) => {
    const button = element("button", { type: "button" }, head.textContent ?? "");
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of table.tHead?.rows[0]?.cells ?? []) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const text = (row: HTMLTableRowElement): string => row.cells[column]?.textContent ?? "";
      const order = (one: HTMLTableRowElement, other: HTMLTableRowElement): number => {
        const [a, b] = [amount(text(one)), amount(text(other))];
        if (Number.isNaN(a) || Number.isNaN(b)) {
          return Number.isNaN(a) && Number.isNaN(b) ? text(one).localeCompare(text(other)) : Number.isNaN(a) ? 1 : -1;
        }
        return a - b;
      };
      const rows = [...body.rows].sort(order);
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}

/** A button that changes between light and dark. */
function theme(): void {
  const root = document.documentElement;
  const button = element("button", { type: "button" });
  const isDark = (): boolean =>
    root.dataset.theme === "dark" || (!root.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const name = (): void => { button.textContent = isDark() ? "Light colours" : "Dark colours"; };
  const changed = (): void => {
    name();
    redraws.forEach((draw) => draw());
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  name();
  document.getElementById("tools")?.append(button);
}

/** Links to the sections. */
function contents(): void {
  const links = [...document.querySelectorAll("main h2[id]")].map((head) =>
    element("a", { href: `#${head.id}` }, head.textContent ?? ""));
  document.getElementById("tools")?.append(...links);
}

contents();
theme();
document.querySelectorAll("table").forEach(sortable);
const box = document.getElementById("gantt");
inflated(data("data")).json().then(
  async (page: Page) => {
    figures(page);
    if (box) redraws.push(await gantt(JSON.parse(data("jobs-about")), data("jobs-data"), box));
    document.documentElement.dataset.ready = "";
  },
  () => document.getElementById("tools")?.append("This browser cannot unpack the data of this page."),
);
