// The range of values that change only the newest reading of a condition.
import { Operator } from '../../../../alarm-rules/alarm-configure.ts'
import { every, from, last, next, none, type Span, upTo } from '../span.ts'
import type { Test } from './rule.ts'
import type { Slot } from './slot.ts'

/** Values with the same result as the newest reading. If there are two such ranges, the one of the reading. */
const alike = ({ op, a, b, band }: Test, met: boolean, value: number): Span => {
  const slack = met ? band : 0
  const equals = (is: boolean): Span => (is ? [a, a] : value < a ? upTo(last(a)) : from(next(a)))
  switch (op) {
    case Operator.equal:
      return equals(met)
    case Operator.notEqual:
      return equals(!met)
    case Operator.above:
      return met ? from(next(a - slack)) : upTo(a)
    case Operator.atLeast:
      return met ? from(a - slack) : upTo(last(a))
    case Operator.below:
      return met ? upTo(last(a + slack)) : from(a)
    case Operator.atMost:
      return met ? upTo(a + slack) : from(next(a))
    case Operator.between:
      if (met) return [a - slack, b + slack]
      return value < a ? upTo(last(a)) : from(next(b))
    default:
      if (!met) return [a, b]
      return value < a + slack ? upTo(last(a + slack)) : from(next(b - slack))
  }
}

/** Values of good quality that change only the newest reading of the slot, until its next deadline. */
export const noChangeSpan = (test: Test, slot: Slot): Span => {
  if (test.style === 4) return every
  if (test.style === 3) return slot.met || slot.holds ? none : every
  if (test.style === 2 || slot.hits.length || slot.value === null) return none
  return alike(test, slot.met, slot.value)
}
