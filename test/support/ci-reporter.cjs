'use strict';
// Mocha reporter: one dot a test, then failures in full, skipped and slow tests by name, and last `N passed, N failed, N skipped`.

const { reporters, Runner } = require('mocha');

const { EVENT_RUN_END, EVENT_TEST_FAIL, EVENT_TEST_PASS, EVENT_TEST_PENDING } = Runner.constants;

const DOTS_PER_LINE = 100;
const SLOW_MS = 2000;
const SLOW_SHOWN = 10;

module.exports = class CiReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options);
    this.dots = 0;
    this.slowTests = [];
    this.skippedTitles = [];
    runner.on(EVENT_TEST_PASS, (test) => {
      this.mark('.');
      if (test.duration >= SLOW_MS) this.slowTests.push(test);
    });
    runner.on(EVENT_TEST_FAIL, () => this.mark('F'));
    runner.on(EVENT_TEST_PENDING, (test) => {
      this.mark('s');
      this.skippedTitles.push(test.fullTitle());
    });
    runner.once(EVENT_RUN_END, () => this.summarize());
  }

  mark(sign) {
    process.stdout.write(sign);
    this.dots += 1;
    if (this.dots % DOTS_PER_LINE === 0) process.stdout.write('\n');
  }

  summarize() {
    process.stdout.write('\n');
    if (this.failures.length > 0) reporters.Base.list(this.failures);
    this.listSkipped();
    this.listSlow();
    const { passes, failures } = this.stats;
    console.log(`${passes} passed, ${failures} failed, ${this.skippedTitles.length} skipped`);
  }

  listSkipped() {
    if (this.skippedTitles.length === 0) return;
    console.log('\nSkipped:');
    for (const title of this.skippedTitles) console.log(`  ${title}`);
  }

  listSlow() {
    if (this.slowTests.length === 0) return;
    console.log('\nSlow:');
    const slowest = this.slowTests.toSorted((a, b) => b.duration - a.duration).slice(0, SLOW_SHOWN);
    for (const test of slowest)
      console.log(`  ${String(test.duration).padStart(6)} ms  ${test.fullTitle()}`);
  }
};
