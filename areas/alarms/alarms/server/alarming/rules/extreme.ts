// The point of a rule's alarm, and its extreme value while the alarm is active.
import { Operator } from '../../../../alarm-rules/alarm-configure.ts'
import { type Test, upToExtreme } from './rule.ts'
import type { Slot } from './slot.ts'
import type { Turn, Watch } from './watch.ts'

/** The slot of the point that raised the alarm; before that, one whose condition holds. */
export const ownSlot = ({ slots, by }: Watch): Slot => {
  if (slots.length === 1 && slots[0]!.length === 1) return slots[0]![0]!
  const all = slots.flat()
  return (by === undefined ? undefined : all.find((slot) => slot.point === by)) ?? all.find((slot) => slot.holds) ?? all[0]!
}

export const turnOf = (watch: Watch, kind: Turn['kind'], time: number): Turn => {
  const { point, value } = ownSlot(watch)
  return { kind, time, point, value, level: watch.level, extreme: watch.extreme }
}

/** Updates the extreme of an active alarm with a value of its point. */
export const extend = (watch: Watch, value: number) => {
  if (watch.extreme === undefined || !watch.measured) return
  const [low, high] = upToExtreme(watch.measured, watch.extreme)
  if (value < low || value > high) watch.extreme = value
}

/** Extremes of two tests are comparable if their directions are equal. */
const directionOf = (test: Test | undefined) =>
  test && (test.op === Operator.outside ? `outside ${test.a} ${test.b}` : test.op <= Operator.atLeast ? 'up' : 'down')

/** The part of an active alarm that survives an edit of its rule. */
export const carriedExtreme = (old: Watch | undefined, watch: Watch): Pick<Watch, 'by' | 'extreme'> => {
  if (!old?.active || !watch.slots.flat().some(({ point }) => point === old.by)) return {}
  const isSame = directionOf(old.measured) === directionOf(watch.measured)
  return { by: old.by, extreme: isSame ? old.extreme : undefined }
}
