// The way to the report: its code is loaded when one is first wanted.

export const report = async (): Promise<boolean> =>
  (await import('./export-report.ts')).exportReport();
