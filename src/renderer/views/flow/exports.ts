// The ways a walk leaves the page; the code of each is loaded when it is first wanted.

export const report = async (): Promise<boolean> =>
  (await import('./report/export-report.ts')).exportReport();

export const scenario = async (): Promise<boolean> =>
  (await import('./scenario/export-scenario.ts')).exportScenario();
