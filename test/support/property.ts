/** Runs of a property: 1,000 with every change, more where there is time. */
export const RUNS = Number(process.env.PROPERTY_RUNS ?? 1000);

/** How properties are run; the seed is fixed, so that what fails once fails again. */
export const PROPERTY = { numRuns: RUNS, seed: 20261130 };

/**
 * Time for a property of which a run takes up to `each` ms, on a machine that
 * is busy, in ms.
 */
export const timeFor = (each: number): number => 60_000 + RUNS * each;
