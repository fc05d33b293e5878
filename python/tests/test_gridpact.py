"""Tests of the package as it is installed, with pandas, polars and DuckDB where they are."""

import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from fractions import Fraction
from pathlib import Path

import gridpact

SCENARIOS = Path(__file__).parents[2] / "scenarios"
QUEUE = {
    "name": "queue",
    "run": {"replications": 3, "until": {"jobs": 400}},
    "organization": [{
        "name": "a & b",
        "cluster": {"space_shared": {"processors": 4, "scheduler": {"fcfs": {}}}},
        "workload": {"synthetic": {
            "arrivals": {"poisson": {"rate": 3.0}},
            "size": {"exponential": {"mean": 1.0}},
        }},
    }],
}
LONG = {"run.until.jobs": 100_000_000}


def module(name):
    """A module, or a test that is skipped without it."""
    try:
        return __import__(name)
    except ImportError:
        raise unittest.SkipTest(f"{name} is not installed") from None


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = gridpact.run(QUEUE, progress=False)

    def test_a_dict_a_text_and_a_file_are_the_same_scenario(self):
        text = """
            name = "queue"
            run.replications = 3
            run.until.jobs = 400
            [[organization]]
            name = "a & b"
            cluster.space_shared = { processors = 4, scheduler.fcfs = {} }
            workload.synthetic.arrivals.poisson.rate = 3.0
            workload.synthetic.size.exponential.mean = 1.0
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "queue.toml"
            file.write_text(text, encoding="utf-8")
            from_file = gridpact.run(file)
        digests = {one.manifest["scenario_digest"] for one in (self.results, gridpact.run(text), from_file)}
        self.assertEqual(len(digests), 1)

    def test_values_of_python_are_values_of_a_scenario(self):
        from gridpact._call import text, value
        self.assertEqual(value({"a b": [True, 1, 0.1, "\x7f\"é", math.inf]}),
                         '{ "a b" = [true, 1, 0.1, "\\u007f\\"é", inf] }')
        self.assertEqual(text({"a": {"b.c": 1}, "d": [{"e": 2}], "f": 3}),
                         'a.b.c = 1\nf = 3\n\n[[d]]\ne = 2\n')
        with self.assertRaises(TypeError):
            value(object())

    def test_figures_follow_from_replications_to_the_last_digit(self):
        values = {}
        for row in self.results.replications.rows():
            values.setdefault((row["unit"], row["measure"]), []).append((row["value"], row["weight"]))
        figures = [row for row in self.results.figures.rows() if (row["unit"], row["measure"]) in values]
        self.assertGreater(len(figures), 5)
        for row in figures:
            all = values[row["unit"], row["measure"]]
            # Sums are whole millionths, and so is the processor time that a utilization is a share of.
            sums = [round(Fraction(value) * Fraction(weight) * 10**6) for value, weight in all]
            weight = sum(weight for _, weight in all)
            is_share = row["measure"] == "utilization"
            mean = sum(sums) / round(weight * 10**6) if is_share else sum(sums) / 10**6 / weight
            self.assertEqual(mean, row["mean"], row)

    def test_columns_have_types_and_every_digit(self):
        import csv
        for name in self.results.tables:
            with open(self.results.folder / f"{name}.csv", newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            table = self.results.table(name)
            self.assertEqual(len(table), len(rows))
            read = {"int64": int, "float64": float, "bool": {"0": False, "1": True}.get, "str": str}
            for column, kind in table.types.items():
                expected = [read[kind](row[column]) if row[column] else None for row in rows]
                self.assertEqual(table[column], expected, f"{name}: {column}")
        types = self.results.jobs.types
        self.assertEqual([types[one] for one in ("job_id", "submission_time", "success", "metadata")],
                         ["int64", "float64", "bool", "str"])
        self.assertEqual(self.results.figures.types["mean"], "float64")

    def test_packed_and_rotated_records_are_the_same_table(self):
        settings = {"output.compress": True, "output.rotate": 100}
        packed = gridpact.run(QUEUE, set=settings)
        self.assertEqual(packed.tables, self.results.tables)
        self.assertEqual(packed.jobs.to_dict(), self.results.jobs.to_dict())

    def test_pandas_reads_what_it_reads_from_the_file(self):
        pandas = module("pandas")
        for name in self.results.tables:
            table = self.results.table(name)
            texts = {column: str for column, kind in table.types.items() if kind == "str"}
            expected = pandas.read_csv(self.results.folder / f"{name}.csv", dtype=texts)
            found = table.to_pandas()
            pandas.testing.assert_frame_equal(found, expected, check_dtype=False)

    def test_polars_and_duckdb_take_tables_over(self):
        polars, duckdb = module("polars"), module("duckdb")
        for name in self.results.tables:
            table = it = self.results.table(name)
            self.assertEqual(polars.DataFrame(table).to_dict(as_series=False), table.to_dict())
            rows = duckdb.sql("select * from it").fetchall()
            self.assertEqual(rows, list(zip(*table.to_dict().values())))

    def test_an_arrow_stream_that_nobody_reads_is_released(self):
        for _ in range(3):
            self.results.jobs.__arrow_c_stream__()

    def test_a_notebook_shows_the_answer_and_the_pictures(self):
        page = self.results._repr_html_()
        self.assertIn("data:image/svg+xml;base64,", page)
        self.assertIn("a &amp; b", page)
        self.assertIn("<td>", self.results.jobs._repr_html_())
        self.assertIn("queue", str(self.results))

    def test_results_are_read_saved_and_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = self.results.save(Path(folder) / "kept")
            again = gridpact.read(kept.folder)
            self.assertEqual(again.figures.to_dict(), self.results.figures.to_dict())
            self.assertTrue(again.audit())
            (kept.folder / "figures.csv").write_text("unit\n")
            self.assertFalse(again.audit().passed)
        results = gridpact.run(QUEUE, replications=1)
        folder = results.folder
        del results
        self.assertFalse(folder.exists())
        with self.assertRaises(FileNotFoundError):
            gridpact.read(folder)
        with self.assertRaisesRegex(AttributeError, "the tables are figures"):
            self.results.rounds

    def test_progress_is_told_and_ends_with_the_run(self):
        told = []
        gridpact.run(QUEUE, set={"run.until.jobs": 150_000}, progress=lambda *one: told.append(one))
        shares = [share for share, _ in told if share is not None]
        self.assertTrue(shares and shares == sorted(shares) and shares[-1] <= 1, told)
        self.assertIn("job", told[-1][1])

    def test_what_a_progress_raises_stops_the_run(self):
        def stop(*_):
            raise ValueError("enough")
        with self.assertRaisesRegex(ValueError, "enough"):
            gridpact.run(QUEUE, set=LONG, progress=stop)

    def test_a_stopped_run_is_resumed_and_a_finished_one_extended(self):
        def stop(*_):
            raise ValueError("enough")
        settings = {"run.until.jobs": 300_000, "output.jobs": False}
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "r"
            with self.assertRaisesRegex(ValueError, "enough"):
                gridpact.run(QUEUE, set=settings, out=out, progress=stop)
            resumed = gridpact.resume(out, progress=False).figures.to_dict()
            self.assertEqual(resumed, gridpact.run(QUEUE, set=settings).figures.to_dict())
            extended = gridpact.run(QUEUE, out=Path(folder) / "s").folder
            gridpact.resume(extended, replications=4)
            more = gridpact.run(QUEUE, replications=4).figures
            self.assertEqual(gridpact.read(extended).figures.to_dict(), more.to_dict())

    def test_ctrl_c_saves_a_run_that_can_be_resumed(self):
        # A shell that starts this in the background has it ignore Ctrl-C.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "long"
            timer = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
            timer.start()
            with self.assertRaisesRegex(KeyboardInterrupt, "gridpact resume"):
                gridpact.run(QUEUE, set=LONG, out=out)
            with self.assertRaises(FileNotFoundError):
                gridpact.read(out)
            with self.assertRaises(gridpact.Error) as caught:
                gridpact.run(QUEUE, set=LONG, out=out)
            self.assertIn("force", caught.exception.remedy)

    def test_threads_run_at_once(self):
        found = []
        runs = [threading.Thread(target=lambda: found.append(gridpact.run(QUEUE))) for _ in range(3)]
        [one.start() for one in runs]
        [one.join() for one in runs]
        for one in found:
            self.assertEqual(one.figures.to_dict(), self.results.figures.to_dict())


class Questions(unittest.TestCase):
    def test_why_a_job_waited(self):
        results = gridpact.run(SCENARIOS / "ten-jobs.toml")
        self.assertIn("Job 2 of", results.explain(2))
        self.assertIn("At 3", results.explain(at=3))

    def test_a_comparison(self):
        compared = gridpact.compare(QUEUE, vary={"scheduler": ["fcfs", "easy"]}, replications=5)
        self.assertEqual(set(compared.comparison["run"]), {"easy"})
        self.assertEqual(compared.comparison.types["difference"], "float64")
        folders = gridpact.compare(*(gridpact.run(QUEUE, set={"processors": one}) for one in (4, 5)))
        self.assertIn("wait", folders["measure"])

    def test_a_sweep_has_its_parameters_as_columns(self):
        grid = {"rate": [1.0, 2.5], "scheduler": ["fcfs", "easy"]}
        swept = gridpact.sweep(QUEUE, grid, replications=2)
        self.assertEqual(len(swept.points), 4)
        self.assertEqual(set(zip(swept.figures["rate"], swept.figures["scheduler"])),
                         {(rate, name) for rate in (1.0, 2.5) for name in ("fcfs", "easy")})

    def test_a_game(self):
        game = gridpact.command("new", "game")
        solved = gridpact.solve(game, "pure_equilibria")
        self.assertIn("stag", str(solved.to_dict()))
        self.assertIn("players", gridpact.game(game, replications=2).tables)

    def test_what_is_no_text_is_bytes(self):
        results = gridpact.run(SCENARIOS / "ten-jobs.toml")
        parquet = gridpact.command("export", results.folder, "--to", "parquet")
        self.assertEqual((parquet[:4], parquet[-4:]), (b"PAR1", b"PAR1"))

    def test_the_command_is_the_program(self):
        said = gridpact.command("--version")
        self.assertEqual(said.split()[1], gridpact.__version__)
        code = "from gridpact._call import program; program()"
        for words, ended in [(["--version"], 0), (["check", "nosuch.toml"], 4)]:
            ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
            self.assertEqual(ran.returncode, ended, ran.stderr)


class Fcfs(gridpact.Scheduler):
    def begin(self):
        self.waiting = []

    def decide(self, now, free, events):
        self.waiting += [event["submit"] for event in events if "submit" in event]
        start = []
        while self.waiting and self.waiting[0]["processors"] <= free:
            free -= self.waiting[0]["processors"]
            start.append(self.waiting.pop(0)["job"])
        return start


class Ratio(gridpact.Learner):
    sees = "stayed_out"

    def begin(self):
        self.p = 0.5
        return self.p

    def learn(self, payoff, stayed_out=None, **_):
        if stayed_out is not None:
            gain = max(-1.0, min(1.0, payoff - stayed_out))
            self.p = (1.0 - 0.1) * self.p + 0.1 * max(0.0, min(1.0, (1.0 + gain) / 2.0))
        return self.p


class Late(Ratio):
    """Moves when it is asked, after all have learned."""

    def begin(self):
        super().begin()

    def learn(self, **seen):
        super().learn(**seen)

    def act(self):
        return self.p


class First(gridpact.GridScheduler):
    def place(self, events, **_):
        jobs = [event["submit"] for event in events if "submit" in event]
        return {job["job"]: job["clusters"][0] for job in jobs}


class Policies(unittest.TestCase):
    def test_a_scheduler_in_python_starts_what_the_same_in_rust_starts(self):
        results = gridpact.run(QUEUE, set={"scheduler": Fcfs})
        self.assertEqual(results.jobs.to_dict(), gridpact.run(QUEUE).jobs.to_dict())
        self.assertTrue(results.audit())
        one = gridpact.run(QUEUE, set={"scheduler": Fcfs}, threads=1)
        self.assertEqual(one.jobs.to_dict(), results.jobs.to_dict())
        compared = gridpact.compare(QUEUE, vary={"scheduler": ["fcfs", Fcfs]}).comparison
        self.assertEqual({run.split(".")[-1] for run in compared["run"]}, {"Fcfs"})
        self.assertEqual(set(compared["difference"]), {0.0})

    def test_a_learner_in_python_plays_what_the_same_in_rust_plays(self):
        figure = SCENARIOS / "selfish-lb-figure-3b.toml"
        settings = {"run.until.rounds": 20, "run.replications": 2}
        rounds = [gridpact.run(figure, set={**settings, **learner}).figures.to_dict()
                  for learner in ({}, {"learner": Ratio})]
        self.assertEqual(*rounds)
        first, late = (gridpact.run(figure, set={**settings, "learner": one}).rounds for one in (Ratio, Late))
        for column in ("action", "probability", "score"):
            self.assertEqual(first[column], late[column])

    def test_a_grid_scheduler_in_python_sends_jobs(self):
        sites = [{"name": name, "cluster": {"space_shared": {"processors": 2, "scheduler": {"fcfs": {}}}},
                  "uses": ["a", "b"]} for name in "ab"]
        jobs = [{"submit": at, "runtime": 3, "organization": "b"} for at in (0, 1, 2)]
        scenario = {"name": "grid", "grid_scheduler": First, "organization": sites, "job": jobs}
        self.assertEqual(gridpact.run(scenario).jobs["cluster"], ["a"] * 3)

    def test_what_a_policy_raises_is_the_cause_of_the_error(self):
        class Wrong(gridpact.Scheduler):
            def decide(self, now, free, events):
                return [1 // 0]
        with self.assertRaisesRegex(gridpact.Error, "raised ZeroDivisionError") as caught:
            gridpact.run(QUEUE, set={"scheduler": Wrong})
        self.assertIsInstance(caught.exception.__cause__, ZeroDivisionError)

    def test_two_classes_of_one_name_are_told_apart(self):
        def made():
            class One(gridpact.Scheduler):
                pass
            return One
        with self.assertRaisesRegex(ValueError, "two classes"):
            gridpact.compare(QUEUE, vary={"scheduler": [made(), made()]})
        gridpact.run(QUEUE)


class Errors(unittest.TestCase):
    def refused(self, *scenario, **options):
        with self.assertRaises(gridpact.Error) as caught:
            gridpact.run(*scenario, **options)
        return caught.exception

    def test_an_error_has_its_place_and_its_remedy(self):
        wrong = self.refused('name = "x"\nruns = 3\n')
        self.assertEqual((wrong.code, wrong.file, wrong.line, wrong.column), (2, "<scenario>", 2, 1))
        self.assertIn("^^^^", str(wrong))
        wrong = self.refused(QUEUE, set={"schedulr": "fcfs"})
        self.assertEqual(wrong.file, "--set")
        self.assertIn("did you mean `scheduler`?", wrong.remedy)
        wrong = self.refused({**QUEUE, "run": {"until": {"jobs": "many"}, "replications": -1}})
        self.assertEqual(wrong.key, "run.until.jobs")
        self.assertEqual(sum(one["is_error"] for one in wrong.problems), 2)

    def test_a_missing_file_and_a_wrong_option(self):
        wrong = self.refused("nosuch.toml")
        self.assertEqual(wrong.code, 4)
        self.assertIn("nosuch.toml", wrong.message)
        wrong = self.refused(QUEUE, thread=2)
        self.assertEqual(wrong.message, "unexpected argument '--thread' found")
        self.assertIn("--threads", wrong.remedy)
        with self.assertRaises(TypeError):
            gridpact.run(3)

    def test_an_error_survives_pickling(self):
        import pickle
        wrong = self.refused("nosuch.toml")
        again = pickle.loads(pickle.dumps(wrong))
        self.assertEqual((str(again), again.code), (str(wrong), wrong.code))

    def test_a_warning_is_a_warning_of_python(self):
        wide = {"submit": 0, "runtime": 1, "processors": 9, "organization": "a & b"}
        scenario = {**QUEUE, "job": [wide], "run": {"never_runs": "reject", "until": {"jobs": 9}}}
        with self.assertWarnsRegex(gridpact.GridpactWarning, "<scenario>:.*processors"):
            gridpact.run(scenario)


if __name__ == "__main__":
    unittest.main()
