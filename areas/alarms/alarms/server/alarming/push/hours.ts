// Quiet hours and shifts: windows in local time, with daylight saving.

import type { Shift } from '../../../../alarm-rosters/contract.ts'
import type { AlarmPush } from '../../../../alarm-rules/alarm-push.ts'
import { windowGate } from '../rules/gate.ts'

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const gateOf = (zone: string, { Start, End, Weeks }: { Start: string; End: string; Weeks?: readonly number[] | undefined }) => {
  const gate = windowGate({ zone, start: minutes(Start), end: minutes(End), weeks: Weeks })
  if (gate.kind !== 'window') throw new Error('not a window')
  return gate
}

/** Delivery of a push at `time`, epoch ms: now, never, or at the end of quiet hours. The highest level always passes. */
export const quietHours = (push: AlarmPush, zone: string, level: number, time: number): 'now' | 'drop' | number => {
  const q = push.NoDisturb
  if (q?.Enabled !== 1 || level >= 3) return 'now'
  const end = gateOf(zone, q).closing(time)
  return end === undefined ? 'now' : q.Mode === 1 ? 'drop' : end
}

/** People on duty by a roster at `time`, epoch ms; a shift that ends at or before its start ends on the next day. */
export const onDuty = ({ TimeZone, Shifts }: { TimeZone: string; Shifts: readonly Shift[] }, time: number): number[] => [
  ...new Set(Shifts.filter((shift) => gateOf(TimeZone, shift).closing(time) !== undefined).flatMap((shift) => shift.Users)),
]
