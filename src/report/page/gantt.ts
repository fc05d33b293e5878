// The Gantt chart of jobs: a canvas that is painted pixel by pixel, so that a million jobs pan smoothly.

import { type Clock, colour, element, figure, inflated, lasting, moment, ofSeries } from "./shapes";

interface About {
  jobs: number;
  runs: number;
  organizations: string[];
  clusters: { name: string; owner: number; processors: number }[];
  clock: Clock;
}

interface Jobs extends About {
  submit: Float64Array;
  start: Float64Array;
  end: Float64Array;
  /** When it got its cluster, and the start that it was first promised, or NaN. */
  sent: Float64Array;
  promised: Float64Array;
  /** Place of each job's first run of processors, and of that after the last job's. */
  runsAt: Uint32Array;
  first: Uint32Array;
  last: Uint32Array;
  owner: Uint32Array;
  cluster: Uint32Array;
  numbers: string[];
}

/** Unpacks the columns that the program packed. */
async function unpacked(about: About, text: string): Promise<Jobs> {
  const all = await inflated(text).arrayBuffer();
  const { jobs, runs } = about;
  let at = 0;
  const take = <T>(kind: { new (buffer: ArrayBuffer): T; BYTES_PER_ELEMENT: number }, count: number): T => {
    const until = at + count * kind.BYTES_PER_ELEMENT;
    const part = new kind(all.slice(at, until));
    at = until;
    return part;
  };
  return {
    ...about,
    submit: take(Float64Array, jobs), start: take(Float64Array, jobs), end: take(Float64Array, jobs),
    sent: take(Float64Array, jobs), promised: take(Float64Array, jobs),
    runsAt: take(Uint32Array, jobs + 1), first: take(Uint32Array, runs), last: take(Uint32Array, runs),
    owner: take(Uint32Array, jobs), cluster: take(Uint32Array, jobs),
    numbers: new TextDecoder().decode(all.slice(at)).split("\n"),
  };
}

/** A colour as the bytes of a pixel in memory. */
function pixel(hex: string): number {
  const value = parseInt(hex.slice(1), 16);
  return (255 << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16);
}

const GAP = 10;
const AXIS = 26;
const SIDE = 92;

/** Round steps of time that give about so many marks over a span. */
function marks(from: number, to: number, most: number, isSeconds: boolean): number[] {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const plain = [1, 2, 5, 10].map((one) => one * power);
  const clock = [1, 5, 15, 60, 300, 900, 3600, 10800, 21600, 86400, 172800, 604800];
  const step = (isSeconds ? clock : plain).find((one) => one >= rough) ?? plain.find((one) => one >= rough) ?? rough;
  const found: number[] = [];
  for (let mark = Math.ceil(from / step) * step; mark <= to; mark += step) found.push(mark);
  return found;
}

/** Shows the jobs in a box and returns what draws them anew after a change of colours. */
export async function gantt(about: About, text: string, box: HTMLElement): Promise<() => void> {
  const jobs = await unpacked(about, text);
  const { counts_seconds: isSeconds, start: begin } = jobs.clock;
  // No spreading: a million arguments are too many.
  let [low, high] = [Infinity, -Infinity];
  for (let job = 0; job < jobs.jobs; job++) {
    low = Math.min(low, jobs.start[job]);
    high = Math.max(high, jobs.start[job], jobs.end[job] || 0);
  }
  // Jobs that still run at the end are drawn up to it.
  const isOpen = Uint8Array.from(jobs.end, (end) => Number(Number.isNaN(end)));
  jobs.end.forEach((end, job) => { if (Number.isNaN(end)) jobs.end[job] = high; });
  const whole: [number, number] = [low, high > low ? high : low + 1];
  let window = whole;
  let chosen = -1;
  const processors = jobs.clusters.reduce((sum, one) => sum + one.processors, 0);
  const height = Math.min(640, Math.max(120, processors * 14)) + GAP * jobs.clusters.length;
  const canvas = element("canvas", { className: "gantt", tabIndex: 0 });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `Gantt chart of ${jobs.jobs} jobs; left and right pan, plus and minus zoom`);
  const told = element("output", { className: "readout" });
  const tip = element("div", { className: "tip", hidden: true });
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;

  // The upper edge of each cluster's rows, and the height of a processor.
  const lane = (height - GAP * jobs.clusters.length) / processors;
  const tops: number[] = [];
  jobs.clusters.reduce((top, one) => {
    tops.push(top);
    return top + one.processors * lane + GAP;
  }, 0);
  // Some machines count processors from 1.
  const base = jobs.clusters.map(() => 1);
  for (let job = 0; job < jobs.jobs; job++) {
    if (jobs.first[jobs.runsAt[job]] === 0) base[jobs.cluster[job]] = 0;
  }

  const wide = (): number => Math.max(200, canvas.clientWidth - SIDE);
  const across = (time: number): number => ((time - window[0]) / (window[1] - window[0])) * wide();
  const rows = (job: number, run: number): [number, number] => {
    const cluster = jobs.cluster[job];
    const top = tops[cluster] + (jobs.first[run] - base[cluster]) * lane;
    return [top, tops[cluster] + (jobs.last[run] + 1 - base[cluster]) * lane];
  };

  const draw = (): void => {
    const scale = devicePixelRatio;
    canvas.style.height = `${height + AXIS}px`;
    const [width, deep] = [Math.round(wide() * scale), Math.round(height * scale)];
    canvas.width = width + Math.round(SIDE * scale);
    canvas.height = deep + Math.round(AXIS * scale);
    const image = context.createImageData(width, deep);
    const pixels = new Uint32Array(image.data.buffer);
    const [paper, empty] = [pixel(colour("--paper")), pixel(colour("--empty"))];
    pixels.fill(paper);
    jobs.clusters.forEach((one, at) => {
      const from = Math.round(tops[at] * scale) * width;
      pixels.fill(empty, from, Math.round((tops[at] + one.processors * lane) * scale) * width);
    });
    const names = jobs.organizations.length;
    const colours = jobs.organizations.map((_, at) => pixel(ofSeries(at % 8, 0)));
    const foreign = jobs.clusters.map((one) => one.owner);
    const factor = (wide() * scale) / (window[1] - window[0]);
    for (let job = 0; job < jobs.jobs; job++) {
      if (jobs.end[job] < window[0] || jobs.start[job] > window[1]) continue;
      const left = Math.max(0, Math.floor((jobs.start[job] - window[0]) * factor));
      const right = Math.min(width, Math.max(left + 1, Math.ceil((jobs.end[job] - window[0]) * factor) - 1));
      const isForeign = names > 1 && foreign[jobs.cluster[job]] !== jobs.owner[job];
      const paint = colours[jobs.owner[job]];
      for (let run = jobs.runsAt[job]; run < jobs.runsAt[job + 1]; run++) {
        const [top, bottom] = rows(job, run);
        // Of jobs that share a pixel the first is painted.
        if (right - left < 2 && pixels[Math.floor(top * scale) * width + left] !== empty) continue;
        const until = Math.max(Math.floor(top * scale) + 1, Math.round(bottom * scale) - (lane * scale > 4 ? 1 : 0));
        for (let y = Math.floor(top * scale); y < until && y < deep; y++) {
          const line = y * width;
          pixels.fill(paint, line + left, line + right);
          // Foreign jobs are hatched.
          if (isForeign) for (let x = left + ((6 - ((left + y) % 6)) % 6); x < right; x += 6) pixels[line + x] = paper;
        }
      }
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = colour("--paper");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.putImageData(image, Math.round(SIDE * scale), 0);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colour("--soft");
    context.textBaseline = "middle";
    context.textAlign = "right";
    jobs.clusters.forEach((one, at) => {
      const deepRow = one.processors * lane;
      if (deepRow > 10) context.fillText(one.name.slice(0, 13), SIDE - 8, tops[at] + deepRow / 2);
    });
    context.textAlign = "center";
    for (const mark of marks(window[0], window[1], wide() / 130, isSeconds)) {
      const x = SIDE + across(mark);
      context.fillRect(x, height, 1, 4);
      // A label that does not fit beside the end is left out.
      if (x > SIDE + 40 && x < SIDE + wide() - 40) context.fillText(time(mark), x, height + 14);
    }
    if (chosen >= 0) outline();
  };
  const time = (units: number): string =>
    begin !== null && isSeconds ? moment(begin + units).slice(0, 16) : isSeconds ? lasting(units, true) : figure(units);

  /** Frames the chosen job, with a line from its submission to its start. */
  const outline = (): void => {
    context.strokeStyle = colour("--ink");
    context.lineWidth = 2;
    context.save();
    context.beginPath();
    context.rect(SIDE, 0, wide(), height);
    context.clip();
    for (let run = jobs.runsAt[chosen]; run < jobs.runsAt[chosen + 1]; run++) {
      const [top, bottom] = rows(chosen, run);
      const [left, right] = [across(jobs.start[chosen]), across(jobs.end[chosen])];
      context.strokeRect(SIDE + left, top, Math.max(2, right - left), Math.max(2, bottom - top));
      context.setLineDash([4, 3]);
      context.beginPath();
      context.moveTo(SIDE + across(jobs.submit[chosen]), (top + bottom) / 2);
      context.lineTo(SIDE + left, (top + bottom) / 2);
      context.stroke();
      // The place that was reserved for it.
      const reserved = across(jobs.promised[chosen]);
      if (reserved !== left && !Number.isNaN(reserved)) {
        context.strokeRect(SIDE + reserved, top, Math.max(2, right - left), Math.max(2, bottom - top));
      }
      context.setLineDash([]);
    }
    context.restore();
  };

  const words = (job: number): string => {
    const [owner, site] = [jobs.organizations[jobs.owner[job]], jobs.clusters[jobs.cluster[job]]];
    const place = site.owner === jobs.owner[job] ? "" : " (foreign)";
    const span = (units: number): string => `${lasting(units, isSeconds)}${isSeconds ? "" : " units"}`;
    return `job ${jobs.numbers[job]} of ${owner} on ${site.name}${place}: ${several(size(job), "processor", "processors")}, `
      + `submitted ${time(jobs.submit[job])}, waited ${span(jobs.start[job] - jobs.submit[job])}, `
      + (isOpen[job] ? "still running at the end" : `ran ${span(jobs.end[job] - jobs.start[job])}`);
  };
  const size = (job: number): number => {
    let sum = 0;
    for (let run = jobs.runsAt[job]; run < jobs.runsAt[job + 1]; run++) sum += jobs.last[run] - jobs.first[run] + 1;
    return sum;
  };
  const several = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`;
  /** What held a job, as far as the times of the jobs on its cluster tell it. */
  const why = (job: number): string => {
    const [submit, start, cluster] = [jobs.submit[job], jobs.start[job], jobs.cluster[job]];
    const sent = Number.isNaN(jobs.sent[job]) ? submit : jobs.sent[job];
    let [free, ahead, passed] = [jobs.clusters[cluster].processors, 0, 0];
    const ended: string[] = [];
    for (let other = 0; other < jobs.jobs; other++) {
      if (jobs.cluster[other] !== cluster || other === job) continue;
      if (jobs.start[other] <= sent && jobs.end[other] > sent && jobs.submit[other] < sent) free -= size(other);
      if (jobs.submit[other] < submit && jobs.start[other] > sent) ahead += 1;
      if (jobs.submit[other] > submit && jobs.start[other] < start) passed += 1;
      if (jobs.end[other] === start && !isOpen[other]) ended.push(jobs.numbers[other]);
    }
    const parts = sent > submit ? [`it was in the grid until ${time(sent)}`] : [];
    if (start > sent) {
      parts.push(`when it came to ${jobs.clusters[cluster].name}, ${several(free, "processor was", "processors were")} free `
        + `and ${several(ahead, "job waited", "jobs waited")} ahead of it`);
      if (passed > 0) parts.push(`${several(passed, "later job", "later jobs")} started before it`);
      if (!Number.isNaN(jobs.promised[job])) parts.push(`its start was first expected at ${time(jobs.promised[job])}`);
      if (ended.length > 0) parts.push(`it started when job ${ended.slice(0, 3).join(", ")}${ended.length > 3 ? " and others" : ""} ended`);
      parts.push(`reasons: gridpact explain FOLDER --job ${jobs.numbers[job]}`);
    }
    return parts.join("; ");
  };
  const choose = (job: number): void => {
    chosen = job;
    told.textContent = job < 0 ? "" : [words(job), why(job)].filter(Boolean).join("; ");
    draw();
  };
  const under = (event: MouseEvent): number => {
    const area = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - area.left - SIDE, event.clientY - area.top];
    const now = window[0] + (x / wide()) * (window[1] - window[0]);
    const slack = (window[1] - window[0]) / wide();
    if (x < 0 || y > height) return -1;
    for (let job = 0; job < jobs.jobs; job++) {
      if (jobs.start[job] > now + slack || jobs.end[job] < now) continue;
      for (let run = jobs.runsAt[job]; run < jobs.runsAt[job + 1]; run++) {
        const [top, bottom] = rows(job, run);
        if (y >= top && y < Math.max(bottom, top + 1)) return job;
      }
    }
    return -1;
  };

  let isDue = false;
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };
  const zoom = (factor: number, middle = (window[0] + window[1]) / 2): void => {
    const span = Math.min(whole[1] - whole[0], (window[1] - window[0]) * factor);
    const share = (middle - window[0]) / (window[1] - window[0]);
    move(middle - share * span, span);
  };
  const move = (from: number, span = window[1] - window[0]): void => {
    const left = Math.min(Math.max(whole[0], from), whole[1] - span);
    window = [left, left + span];
    later();
  };
  canvas.addEventListener("wheel", (event) => {
    // Without a key the wheel scrolls the page.
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const x = event.clientX - canvas.getBoundingClientRect().left - SIDE;
    const at = window[0] + (x / wide()) * (window[1] - window[0]);
    zoom((event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8, at);
  }, { passive: false });
  let drag: { x: number; from: number; moved: boolean } | undefined;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    drag = { x: event.clientX, from: window[0], moved: false };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) {
      const away = event.clientX - drag.x;
      drag.moved ||= Math.abs(away) > 3;
      if (drag.moved) move(drag.from - (away / wide()) * (window[1] - window[0]));
      return;
    }
    const job = under(event);
    tip.hidden = job < 0;
    if (job >= 0) tip.textContent = words(job);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) choose(under(event));
    drag = undefined;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("keydown", (event) => {
    const span = window[1] - window[0];
    if (event.key === "ArrowLeft") move(window[0] - span / 8);
    else if (event.key === "ArrowRight") move(window[0] + span / 8);
    else if (event.key === "+") zoom(0.5);
    else if (event.key === "-") zoom(2);
    else if (event.key === "0") zoom(Infinity);
    else return;
    event.preventDefault();
  });

  const find = element("input", { type: "search", placeholder: "number of a job" });
  find.setAttribute("aria-label", "Find a job by its number");
  const form = element("form", { className: "find" }, find, element("button", {}, "Find"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const job = jobs.numbers.indexOf(find.value.trim());
    if (job < 0) {
      choose(-1);
      told.textContent = `no job ${find.value.trim()} is drawn here`;
      return;
    }
    const span = Math.max(4 * (jobs.end[job] - jobs.submit[job]), (whole[1] - whole[0]) / 500);
    window = whole;
    move((jobs.submit[job] + jobs.end[job]) / 2 - span / 2, Math.min(span, whole[1] - whole[0]));
    choose(job);
  });
  const tool = (label: string, sign: string, factor: number): HTMLButtonElement => {
    const button = element("button", { type: "button" }, sign);
    button.setAttribute("aria-label", `${label} jobs`);
    button.addEventListener("click", () => zoom(factor));
    return button;
  };
  const keys = jobs.organizations.slice(0, 16).map((name, at) => {
    const key = element("span", { className: "key" }, name);
    key.style.setProperty("--key", ofSeries(at % 8, 0));
    return key;
  });
  const hatched = jobs.organizations.length > 1 ? [element("span", { className: "soft" }, "hatched: on another's cluster")] : [];
  box.append(
    element(
      "div", { className: "tools" }, ...keys, ...hatched,
      element("span", { className: "zoom" }, tool("Zoom in on", "+", 0.5), tool("Zoom out of", "−", 2), tool("Show all", "all", Infinity)),
      form,
    ),
    canvas, tip, told,
  );
  draw();
  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth === width) return;
    width = canvas.clientWidth;
    draw();
  }).observe(canvas);
  return draw;
}
