// A chart that can be zoomed, read and thinned out; uPlot draws it.

import uPlot from "uplot";
import { type Chart, type Line, type Panel, colour, element, ends, figure, lasting, moment, ofSeries } from "./shapes";

/** The role of a series of uPlot: the line that is named, or what stands around it. */
type Role = "line" | "part" | "low" | "high";

interface Drawn {
  line: Line;
  role: Role;
  x: number[];
  y: number[];
}

/** From units of the axis to seconds since 1970, if two of its dates tell it. */
function calendar(chart: Chart): ((x: number) => number) | undefined {
  const known = chart.dates
    .filter(([, text]) => /^\d{4}-\d\d-\d\d$/.test(text))
    .map(([x, text]) => [x, Date.parse(`${text}T00:00:00Z`) / 1000]);
  if (known.length < 2) return undefined;
  const [[x0, t0], [x1, t1]] = [known[0], known[known.length - 1]];
  return (x) => t0 + ((x - x0) * (t1 - t0)) / (x1 - x0);
}

function drawn(panel: Panel): Drawn[] {
  const of = (line: Line, role: Role, points: [number, number][]): Drawn => ({
    line, role, x: points.map(([x]) => x), y: points.map(([, y]) => y),
  });
  return panel.lines.flatMap((line) => [
    ...(line.band.length > 1
      ? [of(line, "low", line.band.map(([x, low]) => [x, low])), of(line, "high", line.band.map(([x, , high]) => [x, high]))]
      : []),
    ...line.parts.map((part) => of(line, "part", part)),
    of(line, "line", line.points),
  ]);
}

/** Draws error bars: bands of one point. */
function bars(plot: uPlot, panel: Panel, at: (x: number) => number, isShown: (series: number) => boolean, names: number): void {
  const { ctx } = plot;
  ctx.save();
  ctx.lineWidth = 2 * devicePixelRatio;
  for (const { series, band } of panel.lines) {
    if (band.length !== 1 || !isShown(series)) continue;
    const [x, low, high] = band[0];
    const across = plot.valToPos(at(x), "x", true);
    ctx.strokeStyle = ofSeries(series, names);
    ctx.beginPath();
    ctx.moveTo(across, plot.valToPos(low, "y", true));
    ctx.lineTo(across, plot.valToPos(high, "y", true));
    ctx.stroke();
  }
  ctx.restore();
}

/** The value of a series at a place, or the one nearest to it. */
function near(values: ArrayLike<number | null | undefined>, at: number): [number, number] | undefined {
  for (let away = 0; away < values.length; away++) {
    for (const place of [at - away, at + away]) {
      const value = values[place];
      if (value !== null && value !== undefined) return [place, value];
    }
    if (away > 200) return undefined;
  }
  return undefined;
}

/** Shows a chart in a box and returns what draws it anew after a change of colours. */
export function live(chart: Chart, box: HTMLElement): () => void {
  const toMoment = calendar(chart);
  const at = toMoment ?? ((x: number) => x);
  const [low, high, isLog] = ends(chart.range);
  const whole: [number, number] = [at(low), at(high)];
  const names = chart.series.length;
  const hidden = new Set<number>();
  let window = whole;
  let plots: { plot: uPlot; parts: Drawn[]; panel: Panel }[] = [];
  const readout = element("output", { className: "readout" });
  const area = element("div", { className: "plots" });

  const marks = chart.dates.map(([x]) => x);
  const told = (x: number): string => {
    if (toMoment) return moment(x);
    const label = chart.dates.find(([one]) => one === x)?.[1];
    return label ?? (isLog && marks.length > 0 ? lasting(x, true) : figure(x));
  };
  const read = (of: uPlot): void => {
    const index = of.cursor.idx;
    if (index === null || index === undefined) {
      readout.textContent = "";
      return;
    }
    const values = plots.flatMap(({ plot, parts, panel }) => parts.flatMap(({ line, role }, series) => {
      if (role !== "line" || hidden.has(line.series)) return [];
      const place = plot === of ? index : plot.valToIdx(of.data[0][index]);
      const found = near(plot.data[series + 1], place);
      const name = chart.series[line.series] ?? "paper";
      return found ? [`${names > 1 || line.series >= names ? `${name}, ` : ""}${panel.y}: ${figure(found[1])}`] : [];
    }));
    readout.textContent = `${chart.x.replace(/ \(.*/, "")} ${told(of.data[0][index])}: ${values.join("; ")}`;
  };
  const zoom = (to: [number, number]): void => {
    window = to;
    for (const { plot } of plots) plot.setScale("x", { min: to[0], max: to[1] });
  };

  const plot = (panel: Panel): { plot: uPlot; parts: Drawn[]; panel: Panel } => {
    const parts = drawn(panel);
    const [bottom, top, isUpLog] = ends(panel.scale);
    const tables = parts.map(({ x, y }) => [x.map(at), y] as uPlot.AlignedData);
    const data = tables.length > 0 ? uPlot.join(tables) : ([[]] as unknown as uPlot.AlignedData);
    const series = parts.map(({ line, role }): uPlot.Series => {
      const stroke = ofSeries(line.series, names);
      const isThick = role === "line";
      return {
        label: chart.series[line.series] ?? "paper",
        show: !hidden.has(line.series),
        stroke: isThick ? stroke : role === "part" ? `${stroke}73` : "transparent",
        width: isThick ? 2 : 1,
        dash: line.series >= names && names > 0 ? [6, 4] : undefined,
        spanGaps: true,
        points: { show: isThick && line.points.length < 40, size: 6, fill: stroke },
      };
    });
    const bands = parts.flatMap(({ line, role }, place): uPlot.Band[] =>
      role === "high" ? [{ series: [place + 1, place], fill: `${ofSeries(line.series, names)}29` }] : []);
    const style = { stroke: colour("--soft"), grid: { stroke: colour("--grid"), width: 1 }, ticks: { stroke: colour("--grid"), width: 1 } };
    const options: uPlot.Options = {
      width: Math.max(280, area.clientWidth || 860),
      height: 280,
      series: [{}, ...series],
      bands,
      scales: {
        x: { time: toMoment !== undefined, distr: isLog ? 3 : 1, range: () => window },
        y: { distr: isUpLog ? 3 : 1, range: () => [bottom, top] },
      },
      axes: [
        {
          ...style, label: chart.x, labelSize: 24, size: 36,
          ...(marks.length > 0 && !toMoment
            ? { splits: () => marks, filter: (_: uPlot, all: number[]) => all, values: (_: uPlot, all: number[]) => all.map(told) }
            : {}),
        },
        { ...style, label: panel.y, labelSize: 22, size: 72, values: (_: uPlot, all: number[]) => all.map((y) => (y === null ? "" : figure(y))) },
      ],
      tzDate: (stamp) => uPlot.tzDate(new Date(stamp * 1e3), "Etc/UTC"),
      legend: { show: false },
      cursor: {
        drag: { x: true, y: false, setScale: false },
        sync: { key: `gridpact-${chart.title}-${chart.x}` },
        bind: { dblclick: () => () => { zoom(whole); return null; } },
      },
      hooks: {
        setCursor: [read],
        setSelect: [(of) => {
          if (of.select.width < 4) return;
          const [from, to] = [of.select.left, of.select.left + of.select.width];
          zoom([of.posToVal(from, "x"), of.posToVal(to, "x")]);
          of.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        draw: [(of) => bars(of, panel, at, (one) => !hidden.has(one), names)],
      },
    };
    return { plot: new uPlot(options, data, area), parts, panel };
  };
  const draw = (): void => {
    for (const one of plots) one.plot.destroy();
    area.replaceChildren();
    plots = chart.panels.map(plot);
    for (const { plot: one } of plots) one.root.querySelector("canvas")?.setAttribute("aria-hidden", "true");
  };

  const keys = chart.series.map((name, series) => {
    const button = element("button", { type: "button", className: "key" }, name);
    button.style.setProperty("--key", ofSeries(series, names));
    button.setAttribute("aria-pressed", "true");
    button.addEventListener("click", () => {
      hidden.has(series) ? hidden.delete(series) : hidden.add(series);
      button.setAttribute("aria-pressed", String(!hidden.has(series)));
      for (const { plot: one, parts } of plots) {
        parts.forEach(({ line }, place) => {
          if (line.series === series) one.setSeries(place + 1, { show: !hidden.has(series) });
        });
      }
    });
    return button;
  });
  const middle = ([from, to]: [number, number], share: number): [number, number] => {
    const [a, b] = isLog ? [Math.log(from), Math.log(to)] : [from, to];
    const half = ((b - a) * share) / 2;
    const next = [(a + b) / 2 - half, (a + b) / 2 + half].map((x) => (isLog ? Math.exp(x) : x));
    return [Math.max(whole[0], next[0]), Math.min(whole[1], next[1])];
  };
  const tool = (label: string, text: string, act: () => void): HTMLButtonElement => {
    const button = element("button", { type: "button" }, text);
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  };
  const tools = element(
    "div", { className: "tools" }, ...keys,
    element(
      "span", { className: "zoom" },
      tool("Zoom in", "+", () => zoom(middle(window, 0.5))),
      tool("Zoom out", "−", () => zoom(middle(window, 2))),
      tool("Show all", "all", () => zoom(whole)),
    ),
  );
  area.tabIndex = 0;
  area.setAttribute("role", "application");
  area.setAttribute("aria-label", `${chart.title}: left and right read values, plus and minus zoom`);
  area.addEventListener("keydown", (event) => {
    const first = plots[0]?.plot;
    if (!first) return;
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step !== 0) {
      const last = first.data[0].length - 1;
      const place = Math.min(last, Math.max(0, (first.cursor.idx ?? (step > 0 ? -1 : last + 1)) + step));
      first.setCursor({ left: first.valToPos(first.data[0][place], "x"), top: 10 });
    } else if (event.key === "+") zoom(middle(window, 0.5));
    else if (event.key === "-") zoom(middle(window, 2));
    else if (event.key === "0") zoom(whole);
    else return;
    event.preventDefault();
  });
  box.append(tools, area, readout);
  draw();
  let width = area.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(area.clientWidth - width) < 2) return;
    width = area.clientWidth;
    for (const { plot: one } of plots) one.setSize({ width: Math.max(280, width), height: 280 });
  }).observe(area);
  return draw;
}
