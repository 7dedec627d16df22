import type { Browser } from 'playwright-core';
import { Agent } from './agent';
import { Home, Lab, type ILabOptions } from './lab';
import { startBrowser, Tab } from './tab';

/** A server, a browser with one tab of it, and a client that has found it. */
export interface ISession {
  readonly home: Home;
  readonly lab: Lab;
  readonly browser: Browser;
  readonly tab: Tab;
  readonly agent: Agent;
}

/**
 * Starts everything that a spec file shares, before its first test, and ends
 * it after its last. What is returned is filled in by then.
 *
 * @param files - contents by name, written before the server starts.
 */
export function useSession(
  files: Record<string, string>,
  options: ILabOptions & {
    throttled?: boolean;
    /** More arguments of the browser. */
    browser?: string[];
    /** The page that is opened, by its path; `lab` by default. */
    page?: string;
  } = {}
): ISession {
  const session: Partial<Record<keyof ISession, unknown>> = {};
  let end: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const home = await Home.make();
    end = [() => home.remove()];
    for (const [name, content] of Object.entries(files)) {
      await home.write(name, content);
    }
    const starting = Lab.start(home, options);
    const browser = await startBrowser({
      throttled: options.throttled,
      args: options.browser
    });
    end.unshift(() => browser.close());
    const lab = await starting;
    end.unshift(() => lab.stop());
    const agent = await Agent.in(home);
    end.unshift(() => agent.close());
    const tab = await Tab.open(browser, lab, options.page);
    await agent.untilConnected();
    Object.assign(session, { home, lab, browser, tab, agent });
  }, 120_000);

  afterAll(async () => {
    for (const step of end) {
      await step();
    }
  }, 60_000);

  return session as ISession;
}
