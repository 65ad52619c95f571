import chromium from '@sparticuz/chromium';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

/** What a page did that it must not do. */
export interface PageDeeds {
  /** Lines on the console, and errors that nobody caught. */
  readonly complaints: string[];
  /** Addresses that it asked for, beside its own file. */
  readonly requests: string[];
}

/** How to open a page. */
export interface OpenPageOptions {
  readonly width?: number | undefined;
  readonly scheme?: 'light' | 'dark' | undefined;
  readonly script?: boolean | undefined;
}

let started: Promise<Browser> | undefined;

/**
 * The headless Chromium of the tests. Where it cannot start, the test is skipped and says so; in CI that is a failure.
 * It lives for a suite: {@link closeBrowser} ends it.
 */
export async function requireBrowser(context: Mocha.Context): Promise<Browser> {
  started ??= start();
  try {
    return await started;
  } catch (error) {
    started = undefined;
    if (process.env['CI']) throw error;
    console.warn(`    Chromium does not start here: ${String(error)}`);
    return context.skip();
  }
}

/** Ends the browser. */
export async function closeBrowser(): Promise<void> {
  const browser = await started?.catch(() => undefined);
  started = undefined;
  await browser?.close();
}

/** Opens a file, and notes from the first moment what it says and asks for. */
export async function openFile(
  browser: Browser,
  url: string,
  { width = 1000, scheme = 'light', script = true }: OpenPageOptions = {},
): Promise<{ readonly page: Page; readonly deeds: PageDeeds }> {
  const page = await browser.newPage();
  const deeds: PageDeeds = { complaints: [], requests: [] };
  page.on('console', (message) => deeds.complaints.push(message.text()));
  page.on('pageerror', (error) => deeds.complaints.push(String(error)));
  page.on('request', (request) => {
    if (request.url() !== url) deeds.requests.push(request.url());
  });
  await page.setJavaScriptEnabled(script);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url);
  return { page, deeds };
}

async function start(): Promise<Browser> {
  return puppeteer.launch({
    executablePath: await chromium.executablePath(),
    args: chromium.args,
    headless: 'shell',
  });
}
