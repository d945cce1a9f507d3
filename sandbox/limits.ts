// What a script may cost. docs/decisions/013-scripts-in-quickjs.md says why.

/** Characters of a result, and bytes of a message. */
export const [longestResult, longestMessage] = [1024 * 1024, 1024 * 1024]
/**
 * Milliseconds of the processor for one call; for one that QuickJS cannot interrupt, after which its thread is ended; and of the clock, for
 * one that takes no processor. Processor time is right also on a machine that is busy.
 */
export const [cpuMs, hungMs, wallMs] = [50, 150, 10_000]
/** Bytes of a script's heap and stack; pages of 64 KiB of a tenant's module, at first and at most. */
export const [heapBytes, stackBytes, firstPages, mostPages] = [16 * 1024 * 1024, 128 * 1024, 256, 512]
/**
 * Errors in a row that switch a script off, and for how long. A script that killed its thread is disabled at once, since all others wait for a new thread.
 * So many of them within that time switch off all scripts of their tenant, tests too.
 */
export const [mostErrors, offMs, mostKills] = [3, 60_000, 3]
/** Tenants with a module, and compiled scripts of each. */
export const [mostTenants, mostScripts] = [64, 32]
/** Lines that a script writes while it is tested, and characters of each. */
export const [mostLines, longestLine] = [100, 300]
/** Readings and events of one message; wrong values that are named. */
export const [mostItems, mostEvents, mostWrong] = [10_000, 20, 50]
