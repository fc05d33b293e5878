// Saves a figure as SVG or PNG, and its data as CSV.

import { type Picture, element } from "./shapes";

function save(name: string, content: Blob): void {
  const link = element("a", { href: URL.createObjectURL(content), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function field(value: string | number | null): string {
  const text = value === null ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Every point, dot, bar and cell of a picture, a line each. */
export function csv(picture: Picture): string {
  const lines: (string | number | null)[][] = [];
  if ("chart" in picture) {
    const { chart } = picture;
    lines.push(["panel", "series", "kind", chart.x, "value", "low", "high"]);
    for (const panel of chart.panels) {
      for (const line of panel.lines) {
        const name = chart.series[line.series] ?? "paper";
        for (const [x, y] of line.points) lines.push([panel.y, name, "line", x, y, null, null]);
        for (const [x, low, high] of line.band) lines.push([panel.y, name, "band", x, null, low, high]);
        line.parts.forEach((part, at) => {
          for (const [x, y] of part) lines.push([panel.y, name, `part ${at}`, x, y, null, null]);
        });
      }
    }
  } else if ("rows" in picture) {
    const { rows } = picture;
    lines.push(["row", "series", rows.x, "low", "high"]);
    for (const row of rows.rows) {
      for (const mark of row.marks) {
        const value = "Dot" in mark.shape ? mark.shape.Dot : mark.shape.Bar;
        lines.push([row.name, rows.series[mark.series] ?? "", value, mark.from, mark.to]);
      }
    }
  } else if ("plane" in picture) {
    const { plane } = picture;
    lines.push(["series", "x", "y"]);
    for (const [series, points] of plane.ways) {
      for (const [x, y] of points) lines.push([plane.series[series], x, y]);
    }
  } else {
    const { heat } = picture;
    lines.push([heat.y, heat.x, "value", "low", "high"]);
    heat.cells.forEach((cells, down) => cells.forEach((cell, across) => {
      lines.push([heat.rows[down], heat.columns[across], cell, ...heat.intervals?.[down]?.[across] ?? []]);
    }));
  }
  return lines.map((line) => line.map(field).join(",")).join("\n") + "\n";
}

/** Draws a picture, which needs no fonts or files from elsewhere, on a canvas twice as large. */
async function png(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = element("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Buttons that save a figure. */
export function buttons(name: string, still: Element, picture: Picture): HTMLElement {
  const source = still.querySelector("svg")?.outerHTML ?? "";
  const button = (kind: string, content: () => Promise<Blob | null> | Blob): HTMLButtonElement => {
    const made = element("button", { type: "button" }, kind);
    made.setAttribute("aria-label", `Save ${name} as ${kind}`);
    made.addEventListener("click", () => {
      void Promise.resolve(content()).then((blob) => {
        if (blob) save(`${name}.${kind.toLowerCase()}`, blob);
      });
    });
    return made;
  };
  return element(
    "div", { className: "save" }, "Save as ",
    button("SVG", () => new Blob([source], { type: "image/svg+xml" })),
    button("PNG", () => png(source)),
    button("CSV", () => new Blob([csv(picture)], { type: "text/csv" })),
  );
}
