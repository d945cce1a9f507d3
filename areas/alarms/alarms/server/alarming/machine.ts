// States of one condition of one point: domain.md, 4 (c). Time is the time of the readings.

/** 0 normal, 1 pending (condition true, not for long enough), 2 active, 3 recovering (condition false, not for long enough). */
export type Phase = 0 | 1 | 2 | 3
/**
 * `since`: start of the phase, epoch ms. While the alarm is active, `limit`: the limit that was exceeded, `extreme`: the value furthest
 * beyond it. Alarms of older versions have no extreme.
 */
export type Condition = { phase: Phase; since: number; limit: number; extreme?: number | undefined }
export type Hold = { raiseMs: number; clearMs: number }
export type Turn = { kind: 'raised' | 'recovered'; time: number }

export const idleCondition = (): Condition => ({ phase: 0, since: 0, limit: 0, extreme: undefined })

const enter = (c: Condition, phase: Phase, time: number) => {
  c.phase = phase
  c.since = time
}

/** The transition that a delay causes by `time`, epoch ms. It has the time of expiry, even if called later. */
export const elapse = (c: Condition, hold: Hold, time: number): Turn | undefined => {
  const due = c.since + (c.phase === 1 ? hold.raiseMs : hold.clearMs)
  if ((c.phase !== 1 && c.phase !== 3) || time < due) return undefined
  const raised = c.phase === 1
  enter(c, raised ? 2 : 0, due)
  return { kind: raised ? 'raised' : 'recovered', time: due }
}

/** The transition that a reading causes: `beyond` the limit, `within` it by more than the hysteresis, or in between (ISA-18.2 deadband). */
export const react = (c: Condition, hold: Hold, time: number, beyond: boolean, within: boolean): Turn | undefined => {
  const changes = { 0: beyond, 1: !beyond, 2: within, 3: beyond }[c.phase]
  if (!changes) return undefined
  enter(c, ({ 0: 1, 1: 0, 2: 3, 3: 2 } as const)[c.phase], time)
  return elapse(c, hold, time)
}
