// Opens pages in a real browser: no request leaves the file, nothing is logged, the controls do what
// they say, and axe finds nothing to object to, in light and dark, on a desk and on a phone.
//
// Run by tools/page.sh, which makes the pages: PAGES is their folder, CHROMIUM the browser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";

const { PAGES, CHROMIUM, MODULES, SHOTS } = process.env;
const require = createRequire(join(MODULES, "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser.close());

/** Opens a page and does something with it; fails if anything is logged or loaded. */
async function opened(file, options, act) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const wrong = [];
  page.on("console", (message) => wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) wrong.push(`request of ${request.url()}`);
  });
  try {
    await page.goto(pathToFileURL(join(PAGES, file)).href);
    if (options.javaScriptEnabled !== false) await page.waitForSelector("html[data-ready]", { state: "attached" });
    await act(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

/** The pictures of a page as data. */
async function pictures(page) {
  const text = await page.evaluate(() => document.getElementById("data").textContent);
  return JSON.parse(inflateRawSync(Buffer.from(text, "base64"))).pictures;
}

/** What axe objects to. */
async function objections(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`);
}

const all = readdirSync(PAGES).filter((name) => name.endsWith(".html"));

test("there is a page of each kind", () => {
  const kinds = ["campaign", "coalition", "comparison", "federation", "game", "plan", "study", "sweep", "trace"];
  assert.deepEqual(all, kinds.map((kind) => `${kind}.html`));
});

for (const file of all) {
  for (const [width, colorScheme] of [[1280, "light"], [390, "dark"]]) {
    test(`${file} is sound in ${colorScheme} colours, ${width} pixels wide`, async () => {
      await opened(file, { viewport: { width, height: 900 }, colorScheme }, async (page) => {
        const live = await page.locator("figure.is-live canvas").count();
        const lines = (await pictures(page)).filter(({ picture }) => picture.chart);
        const charts = lines.flatMap(({ picture }) => picture.chart.panels).length;
        assert.equal(live, charts, "every panel is live");
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wider <= 0, `the page is ${wider} pixels wider than the window`);
        assert.deepEqual(await objections(page), []);
        if (SHOTS) await page.screenshot({ path: join(SHOTS, `${file}-${colorScheme}.png`), fullPage: true });
      });
    });
  }

  test(`${file} can be read and printed without its script`, async () => {
    await opened(file, { javaScriptEnabled: false }, async (page) => {
      assert.notEqual(await page.locator("p.answer, tbody tr").count(), 0);
      const figures = await page.locator("figure").count();
      assert.equal(await page.locator("figure .still svg:visible").count(), figures);
    });
    await opened(file, {}, async (page) => {
      await page.emulateMedia({ media: "print" });
      const figures = await page.locator("figure").count();
      assert.equal(await page.locator("figure .still svg:visible").count(), figures);
      assert.equal(await page.locator("figure .live:visible, .save:visible").count(), 0);
      const paper = await page.pdf({ format: "A4" });
      assert.ok(paper.length > 10_000);
      if (SHOTS) writeFileSync(join(SHOTS, `${file}.pdf`), paper);
    });
  });
}

test("a chart is read, zoomed and thinned out, by mouse and by keys", async () => {
  await opened("trace.html", {}, async (page) => {
    const figure = page.locator("figure#timeline");
    await figure.scrollIntoViewIfNeeded();
    const over = figure.locator(".u-over").first();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const middle = await figure.locator("output").textContent();
    assert.match(middle, /jobs waiting: \d/);
    assert.match(middle, /share of processors in use: \d/);
    // A zoom by the mouse shows less: the same place has another time.
    await page.mouse.move(box.x + 20, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const zoomed = await figure.locator("output").textContent();
    assert.notEqual(zoomed, middle);
    await figure.getByRole("button", { name: "Show all" }).click();
    await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.equal(await figure.locator("output").textContent(), middle);
    const first = figure.locator("button.key").first();
    await first.click();
    assert.equal(await first.getAttribute("aria-pressed"), "false");
    await figure.locator(".plots").focus();
    await page.keyboard.press("ArrowRight");
    const step = await figure.locator("output").textContent();
    await page.keyboard.press("ArrowRight");
    assert.notEqual(await figure.locator("output").textContent(), step);
  });
});

test("figures are saved as SVG, PNG and CSV, and CSV has their values", async () => {
  await opened("trace.html", {}, async (page) => {
    const figure = page.locator("figure#timeline");
    const saved = async (kind) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        figure.getByRole("button", { name: `as ${kind}` }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `timeline.${kind.toLowerCase()}`);
      return readFileSync(await download.path());
    };
    assert.match((await saved("SVG")).toString(), /^<svg [\s\S]*<\/svg>\s*$/);
    assert.equal((await saved("PNG")).subarray(1, 4).toString(), "PNG");
    const lines = (await saved("CSV")).toString().trim().split("\n");
    const { chart } = (await pictures(page)).find(({ name }) => name === "timeline").picture;
    const points = chart.panels.flatMap(({ lines: all }) =>
      all.flatMap((line) => [...line.points, ...line.band, ...line.parts.flat()])).length;
    assert.equal(lines.length, 1 + points);
  });
});

test("a job is found by its number, and its wait is told", async () => {
  await opened("trace.html", {}, async (page) => {
    const number = await page.evaluate(() => JSON.parse(document.getElementById("jobs-about").textContent).jobs);
    assert.ok(number > 0);
    await page.waitForSelector("canvas.gantt");
    await page.getByLabel("Find a job by its number").fill("8282");
    await page.getByRole("button", { name: "Find" }).click();
    const told = await page.locator("#gantt output").textContent();
    assert.match(told, /^job 8282 of .* waited .*; when it came to .* (was|were) free and .* ahead of it; .*gridpact explain FOLDER --job 8282$/);
    await page.getByLabel("Find a job by its number").fill("no such");
    await page.getByRole("button", { name: "Find" }).click();
    assert.match(await page.locator("#gantt output").textContent(), /^no job no such is drawn here$/);
  });
});

test("a table is sorted by its headings, and colours change by a button", async () => {
  await opened("trace.html", {}, async (page) => {
    const table = page.locator("table").first();
    const column = async () => (await table.locator("tbody tr td:nth-child(2)").allTextContents())
      .map((text) => Number(text.replaceAll(/\s/g, "")));
    const head = table.locator("th").nth(1);
    await head.getByRole("button").click();
    const up = await column();
    assert.ok(up.length > 2);
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    await head.getByRole("button").click();
    assert.deepEqual(await column(), [...up].reverse());
    // Times in words are sorted by their lengths.
    const wait = table.locator("th", { hasText: "wait" }).first();
    await wait.getByRole("button").click();
    const names = await table.locator("tbody tr td:nth-child(1)").allTextContents();
    assert.deepEqual(names, ["biology", "physics", "whole grid", "chemistry"]);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Dark colours" }).click();
    assert.notEqual(await paper(), light);
    await page.getByRole("button", { name: "Light colours" }).click();
    assert.equal(await paper(), light);
  });
});
